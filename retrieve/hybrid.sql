-- The ranking of match_strategy "hybrid", and its decision what to show (docs/ranking.md).
--
--   points    = bm25 of the topics, common and plain words, of the words of paths, and
--               0.4 * bm25 of the pairs
--   evidence  = the part of that which says that the memory is about the prompt:
--               topics      in full in the title or among the tags, by their frequency
--                           in the body
--               common      one half in the title, one half among the tags, 0.4 in the body
--               plain       as common, times :preferred for a preference, 0.4 for others
--               paths       as common, without the body
--               pairs       0.75 * bm25
--               others      nothing
--               all but pairs times (4.5 / words of the title) ^ 0.25, at least 3 words
--   strength  = points in units of the worth of a word that no memory has
--   order     = strength to two places, a file that the prompt names, confidence, last
--               update, path
--   needed    = the greater of :floor + 0.15 * ln(1 + :subjects) and 0.42 of the most
--               evidence that an active memory has. A memory with less is left out.
--
-- Evidence is a sum, so chance grows with the number of words: a prompt of three needs what
-- one word in a title gives, a prompt of twenty needs two. What has less than half of the
-- evidence of the best is about another matter that shares a word. In a store of fewer than
-- 30 memories a word that one memory has is worth less than 0.75, and the floor is lower in
-- proportion.
--
-- bm25 (https://sqlite.org/fts5.html#the_bm25_function) weighs a word by its rarity
-- (idf) and saturates as it is repeated: idf * f * 2.2 / (f + 1.2 * length), where f is
-- the weighted number of occurrences. Title, tags and body are weighted 5 : 2.5 : 1. All
-- three are scaled by 0.6, which acts like a k1 of 2 instead of bm25's fixed 1.2, so that
-- repetition counts for longer. For evidence a weight of a million lets one occurrence
-- saturate: f drops out and idf * 2.2 remains.
--
-- A common word is full evidence only where people chose it for the title and for the tags:
-- then the memory is about it. A preference says how a person wants a thing done, so a
-- command such as "commit this" is about a preference for commits, though not about a
-- failure of one. Pairs count less, because their words count already and two neighbouring
-- characters are often chance.
--
-- A title of many words has one of the prompt by chance more often, as a long document has
-- for bm25. 4.5 words are what most titles have. Pairs are hardly ever chance.
--
-- If the user has a model (features/meaning/README.md), a memory has a nearness to the prompt: its cosine
-- less that of the average memory, in units of what two sentences that say the same are nearer
-- than two that have nothing in common.
--
--   evidence  + 1.2 * (nearness - 0.4) where it is more: 0.9 is enough without a word
--             * 0.85 where it is below 0.25: words alone have to say more
--   strength  + 1.2 * nearness where it is above 0
--
-- Below 0.25 it finds nothing that has no word of the prompt. The numbers were fitted on the 250
-- public real prompts, with a small English model.
--
-- How rare a word is, is counted in the first page of each memory: title, tags and the beginning of the body
-- (migrations/00002_index.sql). A long text has most words, so it would make those of every title common. The rest of a
-- body adds to points and evidence what bm25 says of all of the memory, less what it says without the rest.
--
-- A memory gets nothing from a hit that is not among the best :pool.
--
-- The terms of each part are one query, and so is each word that stands for a mistyped one, at half the weight.
--
-- Parameters: :queries, a JSON list of [part, FTS5 query, weight]; :preferred as above; :pages,
-- the number of full text rows; :floor and :subjects as above, :subjects NULL
-- for a floor that neither rises nor follows the best, and titles of any length alike; :gated, false to return
-- memories with too little evidence too; :files, a JSON list; :near, a JSON list of [memory_id, cosine, nearness],
-- and :meant, whether it has any; :any_status, false
-- if :statuses is active alone, so that other memories do not fill the pool; :off, a JSON list of categories
-- of which nothing is found, or NULL; :pool and :shortlist, -1 for all; :statuses, :categories, :tag, :since and :limit
-- as in rank.sql.
WITH
queries (part, match, weight) AS MATERIALIZED (
    SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(:queries)
),

found (memory_id, part, weight, points, proof) AS (
    SELECT
        memories_fts.rowid,
        q.part,
        q.weight,
        -bm25(memories_fts, 3, 1.5, 0.6),
        CASE q.part
            WHEN 'pair' THEN 0.75 * -bm25(memories_fts, 3, 1.5, 0.6)
            WHEN 'other' THEN 0
            WHEN 'topic' THEN -bm25(memories_fts, 1e6, 1e6, 1)
            ELSE
                -(bm25(memories_fts, 1e6, 0, 0) + bm25(memories_fts, 0, 1e6, 0)) / 2
                    * iif(q.part = 'plain', iif(m.category = 'preference', :preferred, 0.4), 1)
                - iif(q.part = 'path', 0, 0.4) * bm25(memories_fts, 0, 0, 0.6)
        END
    FROM queries q
    CROSS JOIN memories_fts ON memories_fts MATCH '{title tags body} : (' || q.match || ')'
    CROSS JOIN memories m ON m.memory_id = memories_fts.rowid
    UNION ALL
    SELECT
        memories_fts.rowid,
        q.part,
        q.weight,
        bm25(memories_fts, 3, 1.5, 0.6, 0) - bm25(memories_fts, 3, 1.5, 0.6, 0.6),
        CASE q.part
            WHEN 'pair' THEN 0.75 * (bm25(memories_fts, 3, 1.5, 0.6, 0) - bm25(memories_fts, 3, 1.5, 0.6, 0.6))
            WHEN 'topic' THEN bm25(memories_fts, 1e6, 1e6, 1, 0) - bm25(memories_fts, 1e6, 1e6, 1, 1)
            WHEN 'path' THEN 0
            ELSE 0.4 * (bm25(memories_fts, 0, 0, 0.6, 0) - bm25(memories_fts, 0, 0, 0.6, 0.6))
        END
    FROM queries q
    CROSS JOIN memories_fts ON memories_fts MATCH q.match
    WHERE EXISTS (SELECT 1 FROM bodies WHERE length(body) > 480)
        AND +memories_fts.rowid IN (SELECT memory_id FROM bodies WHERE length(body) > 480)
),

hits (memory_id, points, proof, active) AS (
    SELECT
        f.memory_id,
        f.points * iif(f.part = 'pair', 0.4, 1) * f.weight AS points,
        f.proof * f.weight * iif(f.part = 'pair' OR :subjects IS NULL, 1, pow(4.5 / max(3, m.title_words), 0.25)),
        m.record_status = 'active'
    FROM found f
    CROSS JOIN memories m ON m.memory_id = f.memory_id
    WHERE (:any_status OR m.record_status = 'active') AND (:off IS NULL OR instr(:off, json_quote(m.category)) = 0)
    ORDER BY points DESC
    LIMIT 0 + :pool
),

totals (memory_id, strength, evidence, active, cosine, nearness) AS (
    SELECT
        memory_id,
        sum(points) / (2.2 * ln((:pages + 0.5) / 0.5)),
        sum(proof) / (2.2 * ln((:pages + 0.5) / 0.5)),
        max(active),
        max(cosine),
        max(nearness)
    FROM (
        SELECT memory_id, points, proof, active, NULL AS cosine, NULL AS nearness
        FROM hits
        UNION ALL
        SELECT m.memory_id, 0, 0, m.record_status = 'active', n.value ->> 1, n.value ->> 2
        FROM json_each(:near) n
        CROSS JOIN memories m ON m.memory_id = n.value ->> 0
        WHERE (:any_status OR m.record_status = 'active') AND (:off IS NULL OR instr(:off, json_quote(m.category)) = 0)
    )
    GROUP BY memory_id
),

-- What is near in meaning besides, by the numbers above.
fused (memory_id, strength, evidence, words, active, cosine) AS (
    SELECT
        memory_id,
        strength + iif(:meant, 1.2 * max(0, coalesce(nearness, 0)), 0),
        iif(:meant,
            iif(coalesce(nearness, 0) < 0.25, 0.85, 1) * evidence + 1.2 * max(0, coalesce(nearness, 0) - 0.4),
            evidence),
        evidence,
        active,
        cosine
    FROM totals
    WHERE NOT :meant OR strength > 0 OR nearness >= 0.25
),

-- Ties are few, so a shortlist a little longer than the answer is enough.
sums (memory_id, strength, evidence, needed, words, cosine) AS MATERIALIZED (
    SELECT
        memory_id,
        strength,
        evidence,
        iif(:subjects IS NULL, :floor, max(
            (:floor + 0.15 * ln(1 + :subjects)) * min(1, ln((:pages - 0.5) / 1.5) / ln((:pages + 0.5) / 0.5) / 0.75),
            0.42 * coalesce(best, 0)
        )) AS needed,
        words,
        cosine
    FROM (SELECT *, max(evidence) FILTER (WHERE active) OVER () AS best FROM fused)
    WHERE NOT :gated OR evidence >= needed
    ORDER BY strength DESC
    LIMIT 0 + :shortlist
)

SELECT
    m.id,
    m.path,
    m.category,
    m.title,
    m.tags,
    m.record_status,
    m.updated_at,
    m.sentence,
    iif(m.category = 'decision',
        coalesce((SELECT n.path FROM successors n WHERE n.memory_id = m.memory_id LIMIT 1), ''), '') AS successor,
    s.strength,
    s.evidence,
    s.needed,
    s.words,
    s.cosine,
    round(s.strength, 2) AS rounded,
    f.size_bytes,
    f.mtime_ns,
    f.read_ns
FROM sums s
CROSS JOIN memories m ON m.memory_id = s.memory_id
CROSS JOIN files f ON f.path = m.path
WHERE (:statuses IS NULL OR instr(:statuses, json_quote(m.record_status)) > 0)
    AND (:categories IS NULL OR instr(:categories, json_quote(m.category)) > 0)
    AND (:tag IS NULL OR EXISTS (SELECT 1 FROM tags g WHERE g.memory_id = m.memory_id AND g.tag = :tag))
    AND (:since IS NULL OR m.updated_unix >= :since)
ORDER BY
    rounded DESC,
    EXISTS (
        SELECT 1
        FROM related_files r
        JOIN json_each(:files) f
        WHERE r.memory_id = m.memory_id
            AND (r.file = f.value OR substr(r.file, -length(f.value) - 1) = '/' || f.value)
    ) DESC,
    coalesce(m.confidence, 0) DESC,
    m.updated_unix DESC,
    m.path
LIMIT 0 + :limit
