-- What each term of a prompt adds to the strength that hybrid.sql gives some memories.
--
-- Parameters: :terms, a JSON list of [kind, term, FTS5 query, weight times scale, the term that
-- memories have: another one if that is mistyped]; :paths, a
-- JSON list; :pages as in hybrid.sql.
WITH
unit (points) AS MATERIALIZED (
    SELECT 2.2 * ln((:pages + 0.5) / 0.5)
),
chosen (memory_id, path) AS MATERIALIZED (
    SELECT memory_id, path FROM memories WHERE path IN (SELECT value FROM json_each(:paths))
),
hits (kind, term, matched, memory_id, points) AS MATERIALIZED (
    SELECT t.value ->> 0, t.value ->> 1, t.value ->> 4, memories_fts.rowid, -bm25(memories_fts, 3, 1.5, 0.6) * (t.value ->> 3)
    FROM json_each(:terms) t
    CROSS JOIN memories_fts
    WHERE memories_fts MATCH t.value ->> 2 AND memories_fts.rowid IN (SELECT memory_id FROM chosen)
)
SELECT
    c.path,
    h.kind,
    h.term AS token,
    h.matched,
    round(h.points / (SELECT points FROM unit), 2) AS points
FROM chosen c
JOIN hits h ON h.memory_id = c.memory_id
ORDER BY c.path, h.points DESC, h.term
