-- The ranking of a hub, for the memories of the repositories that row security shows. It follows terms.sql, which says
-- how rare a term is in the hub as a whole. Strength, evidence and order are those of match_strategy "hybrid"
-- (docs/how-it-finds.md, retrieve/hybrid.sql), but for two things:
--
--   weights   title, tags and body weigh 10 : 5 : 2, not 3 : 1.5 : 0.6: a word that is there counts nearly in full, and
--             more of it adds little. That is better for the few words with which people search a hub, and worse for
--             whole prompts (docs/dev/measures.md).
--   phrases   of several words (a pair, an abbreviation spelled out): no table says how many memories have one, so it
--             counts as no rarer than its rarest word.
--
-- The service chooses candidates (candidates.go): the memories whose words are worth most. Here they are weighed, with
-- phrases, evidence and recency. Row security decides again what is seen: a candidate that is hidden, or gone, is left
-- out. Without candidates all memories are weighed, which takes seconds in a large hub; make bench-hub compares both.
--
-- OFFSET 0 keeps the planner from joining in another way than one probe at a time, so that the filter of row security
-- is applied to rows that are wanted, and costs nothing.
--
-- A posting is packed as the migrations say. The bm25 of a term is
--
--   idf * 2.2 * f / (f + 0.3 + 0.9 * length)
--
-- as in FTS5, with f the occurrences in the title, the tags and the body, weighted, and length in average lengths.
--
-- Strength and evidence have two places, and a word that fewer than 8 memories have counts as one that
-- 8 have, for those who do not see all repositories: nobody can work out from the points how many
-- memories that they may not see have a word.
--
-- Parameters beside those of terms.sql: $3 and $4, phrases, with spaces
-- between words, and the part of each. $5, the weight of plain words in the evidence for a
-- preference; $6, the least evidence; $7, a category or ''; $8, how many results; $9, the ids of
-- the candidates or NULL.
,

candidates AS MATERIALIZED (
    SELECT m.*
    FROM unnest($9::bigint[]) c (memory_id)
    CROSS JOIN LATERAL (
        SELECT m.memory_id, m.repo_id, m.category = 'preference' AS preference, m.confidence, m.updated_unix
        FROM memories m
        WHERE m.memory_id = c.memory_id
            AND m.record_status = 'active'
            AND ($7 = '' OR m.category = $7)
        OFFSET 0
    ) m
    UNION ALL
    SELECT m.memory_id, m.repo_id, m.category = 'preference', m.confidence, m.updated_unix
    FROM memories m
    WHERE $9::bigint[] IS NULL
        AND m.record_status = 'active'
        AND ($7 = '' OR m.category = $7)
),

hits AS (
    SELECT
        c.memory_id,
        a.term_id,
        f.*,
        a.idf * 2.2 * w.f / (w.f + 0.3 + 0.9 * f.length) AS points
    FROM (SELECT repo_id, array_agg(memory_id) AS memory_ids FROM candidates GROUP BY repo_id) r
    CROSS JOIN asked a
    CROSS JOIN LATERAL (
        SELECT p.packed || '{}' AS packed -- out of the row once, not for each candidate
        FROM postings p
        WHERE p.term_id = a.term_id
            AND p.repo_id = r.repo_id
        OFFSET 0
    ) l
    CROSS JOIN LATERAL unnest(r.memory_ids) c (memory_id)
    -- Elements are sorted: the last one that is not above all of the memory's is the memory's, if it has one.
    CROSS JOIN LATERAL (
        SELECT l.packed[width_bucket(c.memory_id << 32 | 4294967295, l.packed)] AS posting
        OFFSET 0
    ) p
    CROSS JOIN LATERAL (
        SELECT
            (p.posting >> 18 & 8191) / (SELECT average FROM hub) AS length,
            p.posting >> 13 & 31 AS title,
            p.posting >> 8 & 31 AS tags,
            (p.posting & 255)::float8 AS body
        OFFSET 0
    ) f
    CROSS JOIN LATERAL (SELECT 10 * f.title + 5 * f.tags + 2 * f.body AS f OFFSET 0) w
    WHERE p.posting >> 32 = c.memory_id
),

sums AS MATERIALIZED (
    SELECT c.memory_id, c.confidence, c.updated_unix, s.length, s.mask, s.points,
        s.sure + CASE WHEN c.preference THEN $5 ELSE 0.4 END * s.plain AS proof
    FROM (
        SELECT
            h.memory_id,
            max(length) AS length,
            bit_or(a.mask) AS mask,
            sum(a.weight * h.points) AS points,
            2.2 * sum(
                a.topics * a.idf * CASE WHEN title + tags > 0 THEN 1 ELSE body / (body + 0.3 + 0.9 * length) END
                + a.commons * a.idf * ((title > 0)::integer + (tags > 0)::integer) / 2
                + (a.commons + a.plains) * 0.4 * a.idf * 0.6 * body / (0.6 * body + 0.3 + 0.9 * length)
            ) + sum(0.75 * a.pairs * h.points) AS sure,
            2.2 * sum(a.plains * a.idf * ((title > 0)::integer + (tags > 0)::integer) / 2) AS plain
        FROM hits h
        JOIN asked a USING (term_id)
        GROUP BY h.memory_id
    ) s
    JOIN candidates c USING (memory_id)
),

phrases AS MATERIALIZED (
    SELECT
        p.place,
        p.part,
        p.words,
        string_agg(quote_literal(w.word), ' <-> ' ORDER BY w.place)::tsquery AS match,
        bit_or(a.mask) AS mask,
        max(a.idf) AS idf
    FROM (
        SELECT place, part, string_to_array(phrase, ' ') AS words
        FROM unnest($3::text[], $4::text[]) WITH ORDINALITY p (phrase, part, place)
    ) p
    CROSS JOIN LATERAL unnest(p.words) WITH ORDINALITY w (word, place)
    JOIN terms t ON t.term = w.word
    LEFT JOIN asked a ON a.term_id = t.term_id
    GROUP BY p.place, p.part, p.words
    HAVING count(*) = cardinality(p.words)
),

-- The places of a phrase: those where its first word stands, if the others follow. Weights mark its words, so that the
-- places of the others need not be unpacked.
occurrences AS MATERIALIZED (
    SELECT p.place, s.memory_id, o.*
    FROM phrases p
    JOIN sums s ON s.mask & p.mask = p.mask
    CROSS JOIN LATERAL (
        SELECT m.positions
        FROM memories m
        WHERE m.memory_id = s.memory_id
            AND m.positions @@ p.match
        OFFSET 0
    ) m
    CROSS JOIN LATERAL (
        SELECT
            (count(*) FILTER (WHERE start < 1001))::float8 AS title,
            (count(*) FILTER (WHERE start BETWEEN 1001 AND 2000))::float8 AS tags,
            (count(*) FILTER (WHERE start > 2000))::float8 AS body
        FROM (
            SELECT position - w.place + 1 AS start
            FROM unnest(p.words) WITH ORDINALITY w (word, place)
            JOIN unnest(ts_filter(setweight(m.positions, 'A', p.words), '{a}')) l ON l.lexeme = w.word
            CROSS JOIN LATERAL unnest(l.positions) position
            GROUP BY 1
            HAVING count(*) = cardinality(p.words)
        ) starts
    ) o
),

phrase_sums AS (
    SELECT
        o.memory_id,
        sum(CASE WHEN p.part = 'pair' THEN 0.5 ELSE 1 END * s.points) AS points,
        sum(CASE
            WHEN p.part = 'pair' THEN 0.75 * s.points
            WHEN p.part <> 'topic' THEN 0
            WHEN o.title + o.tags > 0 THEN p.idf * 2.2
            ELSE p.idf * 2.2 * o.body / (o.body + 0.3 + 0.9 * m.length)
        END) AS proof
    FROM occurrences o
    JOIN phrases p USING (place)
    JOIN sums m USING (memory_id)
    CROSS JOIN LATERAL (SELECT 10 * o.title + 5 * o.tags + 2 * o.body AS f) f
    CROSS JOIN LATERAL (SELECT p.idf * 2.2 * f / (f + 0.3 + 0.9 * m.length) AS points) s
    GROUP BY o.memory_id
),

-- Ties are few, so a shortlist a little longer than the answer is enough.
results AS MATERIALIZED (
    SELECT *
    FROM (
        SELECT
            s.memory_id,
            coalesce(s.confidence, 0) AS confidence,
            s.updated_unix,
            round((s.points + coalesce(p.points, 0)) / u.unit * 100) / 100 AS strength,
            round((s.proof + coalesce(p.proof, 0)) / u.unit * 100) / 100 AS evidence
        FROM sums s
        CROSS JOIN (SELECT 2.2 * ln((pages + 0.5) / 0.5) AS unit FROM hub) u
        LEFT JOIN phrase_sums p USING (memory_id)
        WHERE s.points + coalesce(p.points, 0) > 0
    ) s
    WHERE evidence >= $6
    ORDER BY strength DESC, confidence DESC, updated_unix DESC NULLS LAST
    LIMIT $8 + 20
)

SELECT
    m.id,
    m.repository,
    m.commit_sha,
    m.published_at,
    m.path,
    m.category,
    m.title,
    m.tags,
    m.record_status,
    m.created_at,
    m.updated_at,
    m.tokens,
    s.strength,
    s.evidence
FROM results s
JOIN memory_rows m USING (memory_id)
ORDER BY s.strength DESC, s.confidence DESC, s.updated_unix DESC NULLS LAST, m.path, m.repository
LIMIT $8
