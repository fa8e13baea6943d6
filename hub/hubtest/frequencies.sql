-- What terms and corpus count wrongly, by counting all postings.
WITH counted AS (
    SELECT term_id, sum(memories) AS memories
    FROM (
        SELECT term_id, memories FROM terms
        UNION ALL
        SELECT term_id, memories FROM term_changes
    ) c
    GROUP BY term_id
),

found AS (
    SELECT term_id, sum(cardinality(packed)) AS memories
    FROM postings
    GROUP BY term_id
),

corpus_counted AS (
    SELECT sum(memories) AS memories, sum(terms) AS terms
    FROM (
        SELECT memories, terms FROM corpus
        UNION ALL
        SELECT memories, terms FROM corpus_changes
    ) c
),

corpus_found AS (
    SELECT (SELECT count(*) FROM memories) AS memories, coalesce(sum(length), 0) AS terms
    FROM (
        SELECT DISTINCT element >> 32 AS memory_id, (element >> 18) & 8191 AS length
        FROM postings
        CROSS JOIN unnest(packed) element
    ) m
)

(
    SELECT format('term %s: %s memories counted, %s in postings',
        coalesce(t.term, 'number ' || term_id), coalesce(c.memories, 0), coalesce(f.memories, 0))
    FROM counted c
    FULL JOIN found f USING (term_id)
    LEFT JOIN terms t USING (term_id)
    WHERE coalesce(c.memories, 0) <> coalesce(f.memories, 0)
        OR t.term IS NULL
    ORDER BY coalesce(t.term, 'number ' || term_id)
)
UNION ALL
SELECT format('corpus: %s memories counted, %s found', c.memories, f.memories)
FROM corpus_counted c
CROSS JOIN corpus_found f
WHERE c.memories <> f.memories
UNION ALL
SELECT format('corpus: %s terms counted, %s in postings', c.terms, f.terms)
FROM corpus_counted c
CROSS JOIN corpus_found f
WHERE c.terms <> f.terms
