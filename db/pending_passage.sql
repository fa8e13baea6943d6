-- Some of the newest turns of sessions that have no vector in a set. What the person said comes first, and
-- tools do not count.
SELECT p.passage_id AS id, '' AS path, substr(p.prompt, 1, 1000) || char(10) || substr(p.answer, 1, 2000) AS text
FROM (SELECT passage_id FROM passages ORDER BY said_at DESC LIMIT ?3) n
LEFT JOIN texts t ON t.passage_id = n.passage_id
LEFT JOIN vectors v ON v.set_id = ?1 AND v.text_hash = t.text_hash
JOIN passages p ON p.passage_id = n.passage_id
WHERE v.vector_id IS NULL
ORDER BY p.said_at DESC
LIMIT ?2
