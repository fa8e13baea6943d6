-- The highest points that a memory could have for each token of a prompt by rank.sql: those
-- of the memory that has it in the strongest way. A token that no memory has counts as in a
-- title.
--
-- Parameters: :prompt as in rank.sql.
SELECT
    max(
        2,
        coalesce((
            SELECT max(2 * p.in_title + 3 * p.in_tags)
            FROM tokens t
            CROSS JOIN postings p ON p.token_id = t.token_id
            WHERE t.token = w.value
        ), 0)
    ) AS points
FROM json_each(:prompt) w
ORDER BY w.key
