-- The ranking of a hub: that of match_strategy "hybrid" (docs/how-it-finds.md, and
-- retrieve/hybrid.sql, whose points, strength and order it has), for the memories
-- of the repositories that row security shows. How rare a term is, the hub as a whole says.
--
-- A hub is too large to weigh every memory that has a word of the prompt:
--
--   rare terms    are read in full: the rarest ones, as many as have $9 postings together.
--                 The best 600 memories by these are the candidates.
--   other terms   are looked up for the candidates alone: one probe for each term and
--                 repository.
--   phrases       of several words (a pair, an abbreviation spelled out) have no postings.
--                 The candidates that have all of their words are looked at, place by place.
--
-- Where the visible memories that have a term of the prompt are few, all are candidates, and
-- nothing is cut. Otherwise a memory without one of the rarer terms is not found.
--
-- How many memories have a phrase, no table says. It is estimated: the share of the
-- candidates with its rarest word that have the phrase, times the frequency of that word.
-- Where nothing is cut, that is the exact number.
--
-- Row security is a filter on each row of postings and memories. OFFSET 0 keeps the planner
-- from joining in another way than one probe at a time, so that the filter is applied to
-- rows that are wanted, and costs nothing. A principal who sees few repositories gets probes
-- for the rare terms too.
--
-- A posting is packed as the migrations say. The bm25 of a term is that of FTS5, divided by
-- f, the weighted number of occurrences:
--
--   idf * 2.2 / (1 + (0.3 + 0.9 * length) / f)
--
-- with length in average lengths, and both sides of the inner fraction divided by 0.3.
--
-- Strength and evidence have two places, and a word that fewer than 8 memories have counts as one that
-- 8 have, for those who do not see all repositories: nobody can work out from the points how many
-- memories that they may not see have a word. Nothing is cut off by a number that they are not told.
--
-- Parameters: $1 and $2, terms and the part of each: topic, common, plain, pair; or word, for
-- a word of a phrase that is searched for only with it. $3 and $4, phrases, with spaces
-- between words, and the part of each. $5, the weight of plain words in the evidence for a
-- preference; $6, the least evidence; $7, a category or NULL; $8, how many results; $9, the
-- budget.
WITH
-- Blank pages count as in the index: 16 of 80 terms (db/fulltext.go).
hub AS MATERIALIZED (
    SELECT
        memories,
        memories + 16 AS pages,
        (terms + 16 * 80) / (memories + 16) AS average,
        3 * (memories + 16) / (terms + 16 * 80) AS slope,
        2.2 * ln((memories + 16 + 0.5) / 0.5) AS unit
    FROM (
        SELECT sum(memories)::float8 AS memories, sum(terms)::float8 AS terms
        FROM (SELECT memories, terms FROM corpus UNION ALL SELECT memories, terms FROM corpus_changes) c
    ) c
),

visible AS MATERIALIZED (
    SELECT
        CASE WHEN count(*) <= 100 THEN array_agg(repo_id) END AS few,
        coalesce(sum(memories), 0) AS memories,
        CASE WHEN coalesce(sum(memories), 0) < (SELECT memories FROM hub) THEN 8 ELSE 0 END AS least
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
        -- idf * 2.2: what a term of a very short memory is worth.
        2.2 * greatest(1e-6, ln((greatest(h.pages - greatest(w.memories, v.least), 0) + 0.5)
            / (greatest(w.memories, v.least) + 0.5))) AS most,
        -- The postings to read, up to this term.
        sum(w.memories * v.memories / greatest(h.memories, 1)) OVER (ORDER BY w.memories, w.term_id) <= $9
            OR row_number() OVER (ORDER BY w.memories, w.term_id) = 1 AS rare,
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
),

rare AS MATERIALIZED (
    SELECT
        a.term_id,
        a.weight + a.words AS weight,
        p.posting >> 32 AS memory_id,
        p.posting,
        a.most / (1 + (1 + h.slope * (p.posting >> 18 & 8191))
            / (10 * (p.posting >> 13 & 31) + 5 * (p.posting >> 8 & 31) + 2 * (p.posting & 255))) AS points
    FROM asked a
    CROSS JOIN hub h
    CROSS JOIN LATERAL (
        SELECT unnest(p.packed) AS posting
        FROM (
            SELECT p.packed
            FROM postings p
            WHERE p.term_id = a.term_id
                AND p.repo_id = ANY ((SELECT few FROM visible)::integer[])
            UNION ALL
            SELECT p.packed
            FROM postings p
            WHERE p.term_id = a.term_id
                AND (SELECT few FROM visible) IS NULL
        ) p
    ) p
    WHERE a.rare
        AND p.posting & 2147483648 <> 0
    LIMIT 40000 -- the rarest term may be frequent
),

candidates AS MATERIALIZED (
    SELECT s.memory_id, m.*
    FROM (
        SELECT memory_id, sum(points * weight) AS points
        FROM rare
        GROUP BY memory_id
        ORDER BY points DESC, memory_id
        LIMIT CASE WHEN $7::text IS NULL THEN 600 END
    ) s
    CROSS JOIN LATERAL (
        SELECT m.repo_id, m.category = 'preference' AS preference, m.confidence, m.updated_unix
        FROM memories m
        WHERE m.memory_id = s.memory_id
            AND ($7::text IS NULL OR m.category = $7)
        OFFSET 0
    ) m
    ORDER BY s.points DESC, s.memory_id
    LIMIT 600
),

hits AS (
    SELECT c.memory_id, r.term_id, r.posting, r.points
    FROM rare r
    JOIN candidates c USING (memory_id)
    UNION ALL
    SELECT
        c.memory_id,
        a.term_id,
        p.posting,
        a.most / (1 + (1 + h.slope * (p.posting >> 18 & 8191))
            / (10 * (p.posting >> 13 & 31) + 5 * (p.posting >> 8 & 31) + 2 * (p.posting & 255)))
    FROM (SELECT repo_id, array_agg(memory_id) AS memory_ids FROM candidates GROUP BY repo_id) r
    CROSS JOIN asked a
    CROSS JOIN hub h
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
    WHERE NOT a.rare
        AND p.posting >> 32 = c.memory_id
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
            sum(
                a.topics * a.most * CASE WHEN title + tags > 0 THEN 1 ELSE body / (body + 0.3 + 0.9 * length) END
                + a.commons * a.most * ((title > 0)::integer + (tags > 0)::integer) / 2
                + (a.commons + a.plains) * 0.4 * a.most * 0.6 * body / (0.6 * body + 0.3 + 0.9 * length)
                + 0.75 * a.pairs * h.points
            ) AS sure,
            sum(a.plains * a.most * ((title > 0)::integer + (tags > 0)::integer) / 2) AS plain
        FROM hits h
        JOIN asked a USING (term_id)
        CROSS JOIN LATERAL (
            SELECT
                (posting >> 18 & 8191) / (SELECT average FROM hub) AS length,
                posting >> 13 & 31 AS title,
                posting >> 8 & 31 AS tags,
                (posting & 255)::float8 AS body
            OFFSET 0
        ) f
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
        (array_agg(a.mask ORDER BY a.memories))[1] AS rarest,
        min(a.memories)::float8 AS memories -- that have the rarest
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

-- Once for each phrase: the count over occurrences would be as many times as there are of them.
phrase_idf AS MATERIALIZED (
    SELECT
        p.place,
        greatest(1e-6, ln((greatest(h.pages - n.memories, 0) + 0.5) / (n.memories + 0.5))) AS idf
    FROM phrases p
    JOIN (SELECT place, count(*) AS count FROM occurrences GROUP BY place) o USING (place)
    CROSS JOIN hub h
    CROSS JOIN visible v
    CROSS JOIN LATERAL (
        SELECT greatest(p.memories * o.count / count(*), v.least) AS memories
        FROM sums s
        WHERE s.mask & p.rarest = p.rarest
        HAVING count(*) > 0
    ) n
),

phrase_sums AS (
    SELECT
        o.memory_id,
        sum(CASE WHEN p.part = 'pair' THEN 0.5 ELSE 1 END * s.points) AS points,
        sum(CASE
            WHEN p.part = 'pair' THEN 0.75 * s.points
            WHEN p.part <> 'topic' THEN 0
            WHEN o.title + o.tags > 0 THEN i.idf * 2.2
            ELSE i.idf * 2.2 * o.body / (o.body + 0.3 + 0.9 * m.length)
        END) AS proof
    FROM occurrences o
    JOIN phrases p USING (place)
    JOIN sums m USING (memory_id)
    JOIN phrase_idf i USING (place)
    CROSS JOIN LATERAL (SELECT 3 * o.title + 1.5 * o.tags + 0.6 * o.body AS f) f
    CROSS JOIN LATERAL (SELECT i.idf * 2.2 * f / (f + 0.3 + 0.9 * m.length) AS points) s
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
            round((s.points + coalesce(p.points, 0)) / h.unit * 100) / 100 AS strength,
            round((s.proof + coalesce(p.proof, 0)) / h.unit * 100) / 100 AS evidence
        FROM sums s
        CROSS JOIN hub h
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
