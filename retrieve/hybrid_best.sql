-- The highest strength that a memory could have for a prompt by hybrid.sql: every term
-- in the title of a memory of average length, where it scores
--
--   idf * f * 2.2 / (f + 1.2 * length) = idf * 2.2 * 3 / (3 + 1.2)
--
-- in units of ln((n + 0.5) / 0.5) * 2.2. A short memory that has it in the body too may
-- score a little more.
--
-- A term that no memory has counts as the rarest one, because then no memory answers all
-- of the prompt. A pair that no memory has counts nothing, because its words count
-- already and may be in any order.
--
-- Parameters: :terms, a JSON list of [kind, term, FTS5 query, weight]; :most, the number of
-- memories from which on a term is not searched for; :blank as in hybrid.sql.
WITH
pages (n) AS MATERIALIZED (
    SELECT coalesce(max(memory_id), 0) + :blank FROM memories
),
known (weight, required, n) AS (
    SELECT
        t.value ->> 3,
        t.value ->> 0 <> 'pair',
        (SELECT count(*) FROM (SELECT 1 FROM memories_fts WHERE memories_fts MATCH t.value ->> 2 LIMIT :most))
    FROM json_each(:terms) t
)
SELECT
    coalesce(sum(k.weight * 3 / (3 + 1.2) * max(1e-6, ln((p.n - k.n + 0.5) / (k.n + 0.5))) / ln((p.n + 0.5) / 0.5)), 0) AS best
FROM pages p
CROSS JOIN known k
WHERE k.n < :most
    AND (k.n > 0 OR k.required)
