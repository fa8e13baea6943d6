-- All that publications wrote, without ids, times, revisions and digests of clients: two hubs that have the same
-- memories have the same.
SELECT format('repository %s %s %s', name, commit_sha, memories) FROM repositories
UNION ALL
SELECT format('sequence %s %s', name, sequence) FROM repositories
UNION ALL
SELECT format('analyser %s %s', name, analysed_by) FROM repositories
UNION ALL
SELECT format('access %s %s %s', principal, name, publish) FROM access JOIN repositories USING (repo_id)
UNION ALL
SELECT format('memory %s %s', r.name, (to_jsonb(m) - 'memory_id' - 'repo_id' - 'sent')::text)
FROM memories m
JOIN repositories r USING (repo_id)
UNION ALL
SELECT format('posting %s %s %s %s', t.term, r.name, m.path, x & 4294967295)
FROM postings p
JOIN repositories r USING (repo_id)
JOIN terms t USING (term_id)
CROSS JOIN unnest(p.packed) x
LEFT JOIN memories m ON m.memory_id = x >> 32
UNION ALL
SELECT format('empty posting %s', p.term_id) FROM postings p WHERE cardinality(p.packed) = 0
UNION ALL
SELECT format('frequency %s %s', term, sum(memories))
FROM (
    SELECT term, memories FROM terms
    UNION ALL
    SELECT term, c.memories FROM term_changes c JOIN terms USING (term_id)
) f
GROUP BY term
HAVING sum(memories) <> 0
UNION ALL
SELECT format('corpus %s %s', sum(memories), sum(terms))
FROM (SELECT * FROM corpus UNION ALL SELECT * FROM corpus_changes) c
ORDER BY 1
