-- What happened before and after the last event of a memory or an observation.
--
-- Events are: a memory was created, changed (an entry of its history, or an update
-- without an entry of about that time), retired or archived; a tool ran. They are
-- in order of time, then of type, row and step. Without a readable date there is no
-- event. The tools around an observation are those of its session, around a memory
-- those of any session.
--
-- Parameters: :type and :row of the target; :window, the number of events on each
-- side.
WITH
events (at, type, id, category, event, preview, row, step) AS NOT MATERIALIZED (
    SELECT unixepoch(created_at, 'subsec'), 'memory', id, category, 'created', title, memory_id, 0
    FROM memories
    WHERE unixepoch(created_at) IS NOT NULL
    UNION ALL
    SELECT unixepoch(c.date, 'subsec'), 'memory', m.id, m.category, 'changed', c.summary, m.memory_id, 1 + c.position
    FROM changes c
    JOIN memories m ON m.memory_id = c.memory_id
    WHERE unixepoch(c.date) IS NOT NULL
    UNION ALL
    SELECT unixepoch(updated_at, 'subsec'), 'memory', id, category, 'changed', title, memory_id, 1000
    FROM memories m
    WHERE unixepoch(updated_at) > coalesce(unixepoch(created_at), 0)
        AND retired_at IS NULL
        AND archived_at IS NULL
        AND NOT EXISTS (
            SELECT 1
            FROM changes c
            WHERE c.memory_id = m.memory_id AND abs(unixepoch(c.date) - unixepoch(m.updated_at)) < 86400
        )
    UNION ALL
    SELECT unixepoch(retired_at, 'subsec'), 'memory', id, category, 'retired', coalesce(retired_reason, title),
        memory_id, 1001
    FROM memories
    WHERE unixepoch(retired_at) IS NOT NULL
    UNION ALL
    SELECT unixepoch(archived_at, 'subsec'), 'memory', id, category, 'archived', coalesce(archived_reason, title),
        memory_id, 1002
    FROM memories
    WHERE unixepoch(archived_at) IS NOT NULL
    UNION ALL
    SELECT unixepoch(o.timestamp, 'subsec'), 'observation', o.event_id, o.tool_name,
        CASE o.success WHEN 0 THEN 'failed' ELSE 'ran' END, d.document, o.observation_id, 0
    FROM observations o
    JOIN observation_documents d ON d.observation_id = o.observation_id
    WHERE unixepoch(o.timestamp) IS NOT NULL
        AND (:type <> 'observation' OR o.session_id = (SELECT session_id FROM observations WHERE observation_id = :row))
),

target AS MATERIALIZED (
    SELECT *
    FROM events
    WHERE type = :type AND row = :row
    ORDER BY at DESC, step DESC
    LIMIT 1
),

around AS (
    SELECT * FROM (
        SELECT e.*, 0 AS target
        FROM target t
        CROSS JOIN events e ON (e.at, e.type, e.row, e.step) < (t.at, t.type, t.row, t.step)
        ORDER BY e.at DESC, e.type DESC, e.row DESC, e.step DESC
        LIMIT :window
    )
    UNION ALL
    SELECT *, 1 FROM target
    UNION ALL
    SELECT * FROM (
        SELECT e.*, 0
        FROM target t
        CROSS JOIN events e ON (e.at, e.type, e.row, e.step) > (t.at, t.type, t.row, t.step)
        ORDER BY e.at, e.type, e.row, e.step
        LIMIT :window
    )
)

SELECT
    strftime('%Y-%m-%dT%H:%M:%SZ', at, 'unixepoch') AS at,
    type,
    id,
    category,
    event,
    preview,
    target
FROM around
ORDER BY around.at, type, row, step
