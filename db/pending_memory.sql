-- Memories that have no vector in a set: first those that prompts find, then those changed last.
SELECT m.memory_id AS id, m.path, m.title || char(10) || b.body AS text
FROM memories m
JOIN bodies b ON b.memory_id = m.memory_id
LEFT JOIN texts t ON t.memory_id = m.memory_id
LEFT JOIN vectors v ON v.set_id = ?1 AND v.text_hash = t.text_hash
WHERE v.vector_id IS NULL
ORDER BY m.record_status <> 'active', m.updated_unix DESC, m.memory_id
LIMIT ?2
