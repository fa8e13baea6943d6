-- The highest text score that a memory could have for a prompt by rank.sql: each
-- token counts as in the memory that has it in the strongest way. A token that no
-- memory has counts as in a title.
--
-- Parameters: :prompt as in rank.sql.
SELECT
    coalesce(sum(max(
        2,
        coalesce((
            SELECT max(2 * p.in_title + 3 * p.in_tags)
            FROM tokens t
            CROSS JOIN postings p ON p.token_id = t.token_id
            WHERE t.token = w.value
        ), 0)
    )), 0) AS best
FROM json_each(:prompt) w
