-- The terms of a prompt, and how rare they are in the hub as a whole: the first half of search.sql, and with
-- "SELECT … FROM asked" what chooses the candidates (candidates.go).
--
-- Parameters: $1 and $2, terms and the part of each: topic, common, plain, pair; or word, for
-- a word of a phrase that is searched for only with it.
WITH
-- Blank pages count as in the index: 16 of 80 terms (db/fulltext.go).
hub AS MATERIALIZED (
    SELECT
        memories,
        memories + 16 AS pages,
        (terms + 16 * 80) / (memories + 16) AS average
    FROM (
        SELECT sum(memories)::float8 AS memories, sum(terms)::float8 AS terms
        FROM (SELECT memories, terms FROM corpus UNION ALL SELECT memories, terms FROM corpus_changes) c
    ) c
),

-- The least number of memories that a word counts as having, for those who do not see all repositories.
visible AS MATERIALIZED (
    SELECT CASE WHEN coalesce(sum(memories), 0) < (SELECT memories FROM hub) THEN 8 ELSE 0 END AS least
    FROM repositories
),

-- The 64 rarest words, topics first, as in retrieve/terms.go.
words AS MATERIALIZED (
    SELECT
        t.term_id,
        w.part,
        f.memories,
        row_number() OVER (
            PARTITION BY w.part IN ('pair', 'word')
            ORDER BY array_position(ARRAY['topic', 'common', 'plain'], w.part), f.memories, w.place
        ) AS place
    FROM unnest($1::text[], $2::text[]) WITH ORDINALITY w (term, part, place)
    JOIN terms t ON t.term = w.term
    CROSS JOIN LATERAL (
        SELECT t.memories + coalesce(sum(c.memories), 0) AS memories
        FROM term_changes c
        WHERE c.term_id = t.term_id
    ) f
    WHERE f.memories > 0
),

-- Each term once: words of a prompt may have the same stem.
asked AS MATERIALIZED (
    SELECT
        w.*,
        topics + commons + plains + 0.5 * pairs AS weight,
        greatest(1e-6, ln((greatest(h.pages - greatest(w.memories, v.least), 0) + 0.5)
            / (greatest(w.memories, v.least) + 0.5))) AS idf,
        -- One bit for each term, of which there are at most 128.
        set_bit(repeat('0', 128)::bit(128), row_number() OVER (ORDER BY w.memories, w.term_id)::integer - 1, 1) AS mask
    FROM (
        SELECT
            term_id,
            memories,
            (count(*) FILTER (WHERE part = 'topic'))::float8 AS topics,
            (count(*) FILTER (WHERE part = 'common'))::float8 AS commons,
            (count(*) FILTER (WHERE part = 'plain'))::float8 AS plains,
            (count(*) FILTER (WHERE part = 'pair'))::float8 AS pairs,
            (count(*) FILTER (WHERE part = 'word'))::float8 AS words
        FROM words
        WHERE place <= 64
        GROUP BY term_id, memories
    ) w
    CROSS JOIN hub h
    CROSS JOIN visible v
)
