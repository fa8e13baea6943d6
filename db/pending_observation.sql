-- Some of the newest observations that have no vector in a set.
SELECT o.observation_id AS id, '' AS path, o.document AS text
FROM (SELECT observation_id, document FROM observation_documents ORDER BY observation_id DESC LIMIT ?3) o
LEFT JOIN texts t ON t.observation_id = o.observation_id
LEFT JOIN vectors v ON v.set_id = ?1 AND v.text_hash = t.text_hash
WHERE v.vector_id IS NULL
ORDER BY o.observation_id DESC
LIMIT ?2
