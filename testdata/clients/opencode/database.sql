-- The database of OpenCode 1.18.33 after three prompts of `opencode run`, as `.dump` writes it: every table of it, the rows of
-- sessions, messages and parts. The model was a script. Changed: the folder, what `env` printed.
CREATE TABLE `workspace` (
          `id` text PRIMARY KEY,
          `type` text NOT NULL,
          `name` text DEFAULT '' NOT NULL,
          `branch` text,
          `directory` text,
          `extra` text,
          `project_id` text NOT NULL,
          `time_used` integer NOT NULL,
          CONSTRAINT `fk_workspace_project_id_project_id_fk` FOREIGN KEY (`project_id`) REFERENCES `project`(`id`) ON DELETE CASCADE
        );
CREATE TABLE `data_migration` (
          `name` text PRIMARY KEY,
          `time_completed` integer NOT NULL
        );
CREATE TABLE `account_state` (
          `id` integer PRIMARY KEY,
          `active_account_id` text,
          `active_org_id` text,
          CONSTRAINT `fk_account_state_active_account_id_account_id_fk` FOREIGN KEY (`active_account_id`) REFERENCES `account`(`id`) ON DELETE SET NULL
        );
CREATE TABLE `account` (
          `id` text PRIMARY KEY,
          `email` text NOT NULL,
          `url` text NOT NULL,
          `access_token` text NOT NULL,
          `refresh_token` text NOT NULL,
          `token_expiry` integer,
          `time_created` integer NOT NULL,
          `time_updated` integer NOT NULL
        );
CREATE TABLE `control_account` (
          `email` text NOT NULL,
          `url` text NOT NULL,
          `access_token` text NOT NULL,
          `refresh_token` text NOT NULL,
          `token_expiry` integer,
          `active` integer NOT NULL,
          `time_created` integer NOT NULL,
          `time_updated` integer NOT NULL,
          CONSTRAINT `control_account_pk` PRIMARY KEY(`email`, `url`)
        );
CREATE TABLE `credential` (
          `id` text PRIMARY KEY,
          `integration_id` text,
          `label` text NOT NULL,
          `value` text NOT NULL,
          `connector_id` text,
          `method_id` text,
          `active` integer,
          `time_created` integer NOT NULL,
          `time_updated` integer NOT NULL
        );
CREATE TABLE `event_sequence` (
          `aggregate_id` text PRIMARY KEY,
          `seq` integer NOT NULL,
          `owner_id` text
        );
CREATE TABLE `event` (
          `id` text PRIMARY KEY,
          `aggregate_id` text NOT NULL,
          `seq` integer NOT NULL,
          `type` text NOT NULL,
          `data` text NOT NULL,
          CONSTRAINT `fk_event_aggregate_id_event_sequence_aggregate_id_fk` FOREIGN KEY (`aggregate_id`) REFERENCES `event_sequence`(`aggregate_id`) ON DELETE CASCADE
        );
CREATE TABLE `permission` (
          `id` text PRIMARY KEY,
          `project_id` text NOT NULL,
          `action` text NOT NULL,
          `resource` text NOT NULL,
          `time_created` integer NOT NULL,
          `time_updated` integer NOT NULL,
          CONSTRAINT `fk_permission_project_id_project_id_fk` FOREIGN KEY (`project_id`) REFERENCES `project`(`id`) ON DELETE CASCADE
        );
CREATE TABLE `project_directory` (
          `project_id` text NOT NULL,
          `directory` text NOT NULL,
          `type` text,
          `strategy` text,
          `time_created` integer NOT NULL,
          CONSTRAINT `project_directory_pk` PRIMARY KEY(`project_id`, `directory`),
          CONSTRAINT `fk_project_directory_project_id_project_id_fk` FOREIGN KEY (`project_id`) REFERENCES `project`(`id`) ON DELETE CASCADE
        );
CREATE TABLE `project` (
          `id` text PRIMARY KEY,
          `worktree` text NOT NULL,
          `vcs` text,
          `name` text,
          `icon_url` text,
          `icon_url_override` text,
          `icon_color` text,
          `time_created` integer NOT NULL,
          `time_updated` integer NOT NULL,
          `time_initialized` integer,
          `sandboxes` text NOT NULL,
          `commands` text
        );
CREATE TABLE `message` (
          `id` text PRIMARY KEY,
          `session_id` text NOT NULL,
          `time_created` integer NOT NULL,
          `time_updated` integer NOT NULL,
          `data` text NOT NULL,
          CONSTRAINT `fk_message_session_id_session_id_fk` FOREIGN KEY (`session_id`) REFERENCES `session`(`id`) ON DELETE CASCADE
        );
CREATE TABLE `part` (
          `id` text PRIMARY KEY,
          `message_id` text NOT NULL,
          `session_id` text NOT NULL,
          `time_created` integer NOT NULL,
          `time_updated` integer NOT NULL,
          `data` text NOT NULL,
          CONSTRAINT `fk_part_message_id_message_id_fk` FOREIGN KEY (`message_id`) REFERENCES `message`(`id`) ON DELETE CASCADE
        );
CREATE TABLE `session_context_epoch` (
          `session_id` text PRIMARY KEY,
          `baseline` text NOT NULL,
          `snapshot` text NOT NULL,
          `baseline_seq` integer NOT NULL,
          CONSTRAINT `fk_session_context_epoch_session_id_session_id_fk` FOREIGN KEY (`session_id`) REFERENCES `session`(`id`) ON DELETE CASCADE
        );
CREATE TABLE `session_input` (
          `id` text PRIMARY KEY,
          `session_id` text NOT NULL,
          `prompt` text NOT NULL,
          `delivery` text NOT NULL,
          `admitted_seq` integer NOT NULL,
          `promoted_seq` integer,
          `time_created` integer NOT NULL,
          CONSTRAINT `fk_session_input_session_id_session_id_fk` FOREIGN KEY (`session_id`) REFERENCES `session`(`id`) ON DELETE CASCADE
        );
CREATE TABLE `session_message` (
          `id` text PRIMARY KEY,
          `session_id` text NOT NULL,
          `type` text NOT NULL,
          `seq` integer NOT NULL,
          `time_created` integer NOT NULL,
          `time_updated` integer NOT NULL,
          `data` text NOT NULL,
          CONSTRAINT `fk_session_message_session_id_session_id_fk` FOREIGN KEY (`session_id`) REFERENCES `session`(`id`) ON DELETE CASCADE
        );
CREATE TABLE `session` (
          `id` text PRIMARY KEY,
          `project_id` text NOT NULL,
          `workspace_id` text,
          `parent_id` text,
          `slug` text NOT NULL,
          `directory` text NOT NULL,
          `path` text,
          `title` text NOT NULL,
          `version` text NOT NULL,
          `share_url` text,
          `summary_additions` integer,
          `summary_deletions` integer,
          `summary_files` integer,
          `summary_diffs` text,
          `metadata` text,
          `cost` real DEFAULT 0 NOT NULL,
          `tokens_input` integer DEFAULT 0 NOT NULL,
          `tokens_output` integer DEFAULT 0 NOT NULL,
          `tokens_reasoning` integer DEFAULT 0 NOT NULL,
          `tokens_cache_read` integer DEFAULT 0 NOT NULL,
          `tokens_cache_write` integer DEFAULT 0 NOT NULL,
          `revert` text,
          `permission` text,
          `agent` text,
          `model` text,
          `time_created` integer NOT NULL,
          `time_updated` integer NOT NULL,
          `time_compacting` integer,
          `time_archived` integer,
          CONSTRAINT `fk_session_project_id_project_id_fk` FOREIGN KEY (`project_id`) REFERENCES `project`(`id`) ON DELETE CASCADE
        );
CREATE TABLE `todo` (
          `session_id` text NOT NULL,
          `content` text NOT NULL,
          `status` text NOT NULL,
          `priority` text NOT NULL,
          `position` integer NOT NULL,
          `time_created` integer NOT NULL,
          `time_updated` integer NOT NULL,
          CONSTRAINT `todo_pk` PRIMARY KEY(`session_id`, `position`),
          CONSTRAINT `fk_todo_session_id_session_id_fk` FOREIGN KEY (`session_id`) REFERENCES `session`(`id`) ON DELETE CASCADE
        );
CREATE TABLE `session_share` (
          `session_id` text PRIMARY KEY,
          `id` text NOT NULL,
          `secret` text NOT NULL,
          `url` text NOT NULL,
          `time_created` integer NOT NULL,
          `time_updated` integer NOT NULL,
          CONSTRAINT `fk_session_share_session_id_session_id_fk` FOREIGN KEY (`session_id`) REFERENCES `session`(`id`) ON DELETE CASCADE
        );
CREATE TABLE "migration" (id TEXT PRIMARY KEY, time_completed INTEGER NOT NULL);
CREATE UNIQUE INDEX `event_aggregate_seq_idx` ON `event` (`aggregate_id`,`seq`);
CREATE INDEX `event_aggregate_type_seq_idx` ON `event` (`aggregate_id`,`type`,`seq`);
CREATE UNIQUE INDEX `permission_project_action_resource_idx` ON `permission` (`project_id`,`action`,`resource`);
CREATE INDEX `message_session_time_created_id_idx` ON `message` (`session_id`,`time_created`,`id`);
CREATE INDEX `part_message_id_id_idx` ON `part` (`message_id`,`id`);
CREATE INDEX `part_session_idx` ON `part` (`session_id`);
CREATE INDEX `session_input_session_pending_delivery_seq_idx` ON `session_input` (`session_id`,`promoted_seq`,`delivery`,`admitted_seq`);
CREATE UNIQUE INDEX `session_input_session_admitted_seq_idx` ON `session_input` (`session_id`,`admitted_seq`);
CREATE UNIQUE INDEX `session_input_session_promoted_seq_idx` ON `session_input` (`session_id`,`promoted_seq`);
CREATE UNIQUE INDEX `session_message_session_seq_idx` ON `session_message` (`session_id`,`seq`);
CREATE INDEX `session_message_session_type_seq_idx` ON `session_message` (`session_id`,`type`,`seq`);
CREATE INDEX `session_message_session_time_created_id_idx` ON `session_message` (`session_id`,`time_created`,`id`);
CREATE INDEX `session_message_time_created_idx` ON `session_message` (`time_created`);
CREATE INDEX `session_project_idx` ON `session` (`project_id`);
CREATE INDEX `session_workspace_idx` ON `session` (`workspace_id`);
CREATE INDEX `session_parent_idx` ON `session` (`parent_id`);
CREATE INDEX `todo_session_idx` ON `todo` (`session_id`);
INSERT INTO project VALUES ('ac18ec2c966d94747955c54c923ce155a009545f', '/home/dev/project', 'git', NULL, NULL, NULL, NULL, 1795420954868, 1795421007061, NULL, '[]', NULL);
INSERT INTO session VALUES ('ses_df891c458ffe7XqKPoVcfSLSPt', 'ac18ec2c966d94747955c54c923ce155a009545f', NULL, 'ses_df8925217ffepZpbTVhTxZbEyt', 'misty-eagle', '/home/dev/project', '', 'look for backoff (@general subagent)', '1.18.33', NULL, 0, 0, 0, NULL, NULL, 0.0, 1000, 20, 0, 0, 0, NULL, '[{"permission":"question","pattern":"*","action":"deny"},{"permission":"plan_enter","pattern":"*","action":"deny"},{"permission":"plan_exit","pattern":"*","action":"deny"},{"permission":"task","pattern":"*","action":"deny"}]', 'general', '{"id":"stub-model","providerID":"stub","variant":"default"}', 1795420994471, 1795420996789, NULL, NULL);
INSERT INTO session VALUES ('ses_df8925217ffepZpbTVhTxZbEyt', 'ac18ec2c966d94747955c54c923ce155a009545f', NULL, NULL, 'playful-nebula', '/home/dev/project', '', 'stub aux reply', '1.18.33', NULL, 0, 0, 0, NULL, NULL, 0.0, 7000, 140, 0, 0, 0, NULL, '[{"permission":"question","pattern":"*","action":"deny"},{"permission":"plan_enter","pattern":"*","action":"deny"},{"permission":"plan_exit","pattern":"*","action":"deny"}]', 'build', '{"id":"stub-model","providerID":"stub","variant":"default"}', 1795420958185, 1795421023512, NULL, NULL);
INSERT INTO message VALUES ('msg_2076db10b001AJmLY3xE0mi4yx', 'ses_df8925217ffepZpbTVhTxZbEyt', 1795420958987, 1795420979243, '{"role":"user","time":{"created":1795420958987},"agent":"build","model":{"providerID":"stub","modelID":"stub-model"},"summary":{"diffs":[{"file":"queue.md","patch":"Index: queue.md\n===================================================================\n--- queue.md\t\n+++ queue.md\t\n@@ -0,0 +1,1 @@\n+SQLite, one writer\n","additions":1,"deletions":0,"status":"added"}]}}');
INSERT INTO message VALUES ('msg_2076dccae001pJISxao1xTWPQM', 'ses_df8925217ffepZpbTVhTxZbEyt', 1795420966062, 1795420975510, '{"parentID":"msg_2076db10b001AJmLY3xE0mi4yx","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/home/dev/project","root":"/home/dev/project"},"cost":0,"tokens":{"total":1020,"input":1000,"output":20,"reasoning":0,"cache":{"write":0,"read":0}},"modelID":"stub-model","providerID":"stub","time":{"created":1795420966062,"completed":1795420975508},"finish":"tool-calls"}');
INSERT INTO message VALUES ('msg_2076df1aa001HnMnG14rbqLVcl', 'ses_df8925217ffepZpbTVhTxZbEyt', 1795420975530, 1795420977091, '{"parentID":"msg_2076db10b001AJmLY3xE0mi4yx","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/home/dev/project","root":"/home/dev/project"},"cost":0,"tokens":{"total":1020,"input":1000,"output":20,"reasoning":0,"cache":{"write":0,"read":0}},"modelID":"stub-model","providerID":"stub","time":{"created":1795420975530,"completed":1795420977090},"finish":"tool-calls"}');
INSERT INTO message VALUES ('msg_2076df7c7001j76umUMjFdWcdl', 'ses_df8925217ffepZpbTVhTxZbEyt', 1795420977095, 1795420978571, '{"parentID":"msg_2076db10b001AJmLY3xE0mi4yx","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/home/dev/project","root":"/home/dev/project"},"cost":0,"tokens":{"total":1020,"input":1000,"output":20,"reasoning":0,"cache":{"write":0,"read":0}},"modelID":"stub-model","providerID":"stub","time":{"created":1795420977095,"completed":1795420978568},"finish":"tool-calls"}');
INSERT INTO message VALUES ('msg_2076dfd94001iPHN6Biwdp1B09', 'ses_df8925217ffepZpbTVhTxZbEyt', 1795420978580, 1795420979774, '{"parentID":"msg_2076db10b001AJmLY3xE0mi4yx","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/home/dev/project","root":"/home/dev/project"},"cost":0,"tokens":{"total":1020,"input":1000,"output":20,"reasoning":0,"cache":{"write":0,"read":0}},"modelID":"stub-model","providerID":"stub","time":{"created":1795420978580,"completed":1795420979773},"finish":"stop"}');
INSERT INTO message VALUES ('msg_2076e1fbe001TmbEGFvGMTemaP', 'ses_df8925217ffepZpbTVhTxZbEyt', 1795420987326, 1795420998156, '{"role":"user","time":{"created":1795420987326},"agent":"build","model":{"providerID":"stub","modelID":"stub-model"},"summary":{"diffs":[]}}');
INSERT INTO message VALUES ('msg_2076e2f520012zNDjktMgGBv90', 'ses_df8925217ffepZpbTVhTxZbEyt', 1795420991314, 1795420997254, '{"parentID":"msg_2076e1fbe001TmbEGFvGMTemaP","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/home/dev/project","root":"/home/dev/project"},"cost":0,"tokens":{"total":1020,"input":1000,"output":20,"reasoning":0,"cache":{"write":0,"read":0}},"modelID":"stub-model","providerID":"stub","time":{"created":1795420991314,"completed":1795420997253},"finish":"tool-calls"}');
INSERT INTO message VALUES ('msg_2076e3bf60015o7VJjJS6mpUGb', 'ses_df891c458ffe7XqKPoVcfSLSPt', 1795420994555, 1795420997995, '{"role":"user","time":{"created":1795420994555},"agent":"general","model":{"providerID":"stub","modelID":"stub-model"},"summary":{"diffs":[]}}');
INSERT INTO message VALUES ('msg_2076e3d31001UDD7SWSc3LZ0zF', 'ses_df891c458ffe7XqKPoVcfSLSPt', 1795420994865, 1795420996588, '{"parentID":"msg_2076e3bf60015o7VJjJS6mpUGb","role":"assistant","mode":"general","agent":"general","path":{"cwd":"/home/dev/project","root":"/home/dev/project"},"cost":0,"tokens":{"total":1020,"input":1000,"output":20,"reasoning":0,"cache":{"write":0,"read":0}},"modelID":"stub-model","providerID":"stub","time":{"created":1795420994865,"completed":1795420996581},"finish":"stop"}');
INSERT INTO message VALUES ('msg_2076e468a001qOASogVOwB3ZIw', 'ses_df8925217ffepZpbTVhTxZbEyt', 1795420997258, 1795420998532, '{"parentID":"msg_2076e1fbe001TmbEGFvGMTemaP","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/home/dev/project","root":"/home/dev/project"},"cost":0,"tokens":{"total":1020,"input":1000,"output":20,"reasoning":0,"cache":{"write":0,"read":0}},"modelID":"stub-model","providerID":"stub","time":{"created":1795420997258,"completed":1795420998525},"finish":"stop"}');
INSERT INTO message VALUES ('msg_2076e76200011mfiJG5WQH8QT4', 'ses_df8925217ffepZpbTVhTxZbEyt', 1795421009440, 1795421017487, '{"role":"user","time":{"created":1795421009440},"agent":"build","model":{"providerID":"stub","modelID":"stub-model"},"summary":{"diffs":[]}}');
INSERT INTO message VALUES ('msg_2076e92470017EZBAznCQuzvET', 'ses_df8925217ffepZpbTVhTxZbEyt', 1795421016647, 1795421023471, '{"parentID":"msg_2076e76200011mfiJG5WQH8QT4","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/home/dev/project","root":"/home/dev/project"},"cost":0,"tokens":{"total":1020,"input":1000,"output":20,"reasoning":0,"cache":{"write":0,"read":0}},"modelID":"stub-model","providerID":"stub","time":{"created":1795421016647,"completed":1795421023470},"finish":"stop"}');
INSERT INTO part VALUES ('prt_2076db148001E0ZCJv37RZg5TG', 'msg_2076db10b001AJmLY3xE0mi4yx', 'ses_df8925217ffepZpbTVhTxZbEyt', 1795420965941, 1795420965965, '{"type":"text","text":"\"Why is the queue in SQLite and not in Redis?\""}');
INSERT INTO part VALUES ('prt_2076dec65001sXyG0l2R4sK9P0', 'msg_2076dccae001pJISxao1xTWPQM', 'ses_df8925217ffepZpbTVhTxZbEyt', 1795420974182, 1795420974266, '{"snapshot":"2e81171448eb9f2ee3821e3d447aa6b2fe3ddba1","type":"step-start"}');
INSERT INTO part VALUES ('prt_2076ded0f001Q5WE2qYv8PasRw', 'msg_2076dccae001pJISxao1xTWPQM', 'ses_df8925217ffepZpbTVhTxZbEyt', 1795420974352, 1795420975129, '{"type":"tool","tool":"bash","callID":"call_0003","state":{"status":"completed","input":{"command":"env | grep -iE ''opencode|agent|session|pid|claude|run'' ","description":"x"},"output":"OPENCODE_LOG_LEVEL=INFO\nAGENT=1\nOPENCODE_PID=53\nOPENCODE=1\nOPENCODE_DISABLE_LSP_DOWNLOAD=1\nOPENCODE_DISABLE_MODELS_FETCH=1\nOPENCODE_PRINT_LOGS=1\nOPENCODE_DISABLE_AUTOUPDATE=1\n","metadata":{"output":"OPENCODE_LOG_LEVEL=INFO\nAGENT=1\nOPENCODE_PID=53\nOPENCODE=1\nOPENCODE_DISABLE_LSP_DOWNLOAD=1\nOPENCODE_DISABLE_MODELS_FETCH=1\nOPENCODE_PRINT_LOGS=1\nOPENCODE_DISABLE_AUTOUPDATE=1\n","exit":0,"truncated":false},"title":"env | grep -iE ''opencode|agent|session|pid|claude|run'' ","time":{"start":1795420974493,"end":1795420975119}}}');
INSERT INTO part VALUES ('prt_2076df0a30013MdcHhGWV4aa07', 'msg_2076dccae001pJISxao1xTWPQM', 'ses_df8925217ffepZpbTVhTxZbEyt', 1795420975267, 1795420975269, '{"reason":"tool-calls","snapshot":"2e81171448eb9f2ee3821e3d447aa6b2fe3ddba1","type":"step-finish","tokens":{"total":1020,"input":1000,"output":20,"reasoning":0,"cache":{"write":0,"read":0}},"cost":0}');
INSERT INTO part VALUES ('prt_2076df5da001HLgO3ViOM85oWh', 'msg_2076df1aa001HnMnG14rbqLVcl', 'ses_df8925217ffepZpbTVhTxZbEyt', 1795420976602, 1795420976604, '{"snapshot":"2e81171448eb9f2ee3821e3d447aa6b2fe3ddba1","type":"step-start"}');
INSERT INTO part VALUES ('prt_2076df5e4001b1JC2ZFWS7E0xj', 'msg_2076df1aa001HnMnG14rbqLVcl', 'ses_df8925217ffepZpbTVhTxZbEyt', 1795420976612, 1795420976774, '{"type":"tool","tool":"write","callID":"call_0005","state":{"status":"completed","input":{"filePath":"/home/dev/project/queue.md","content":"SQLite, one writer\n"},"output":"Wrote file successfully.","metadata":{"diagnostics":{},"filepath":"/home/dev/project/queue.md","exists":false,"truncated":false},"title":"queue.md","time":{"start":1795420976632,"end":1795420976770}}}');
INSERT INTO part VALUES ('prt_2076df721001tfvLs9NFDcnfLO', 'msg_2076df1aa001HnMnG14rbqLVcl', 'ses_df8925217ffepZpbTVhTxZbEyt', 1795420976929, 1795420976931, '{"reason":"tool-calls","snapshot":"8f9c0b469d1c49a432538a7970b27d265da0adc2","type":"step-finish","tokens":{"total":1020,"input":1000,"output":20,"reasoning":0,"cache":{"write":0,"read":0}},"cost":0}');
INSERT INTO part VALUES ('prt_2076df7bd001uPYfQLgoixrlGn', 'msg_2076df1aa001HnMnG14rbqLVcl', 'ses_df8925217ffepZpbTVhTxZbEyt', 1795420977085, 1795420977087, '{"type":"patch","hash":"2e81171448eb9f2ee3821e3d447aa6b2fe3ddba1","files":["/home/dev/project/queue.md"]}');
INSERT INTO part VALUES ('prt_2076dfb73001XkQ48ZJb45NsNB', 'msg_2076df7c7001j76umUMjFdWcdl', 'ses_df8925217ffepZpbTVhTxZbEyt', 1795420978035, 1795420978039, '{"snapshot":"8f9c0b469d1c49a432538a7970b27d265da0adc2","type":"step-start"}');
INSERT INTO part VALUES ('prt_2076dfb790014KtLwYJGhZm9Uw', 'msg_2076df7c7001j76umUMjFdWcdl', 'ses_df8925217ffepZpbTVhTxZbEyt', 1795420978042, 1795420978174, '{"type":"tool","tool":"edit","callID":"call_0007","state":{"status":"error","input":{"filePath":"a.txt","oldString":"NOPE","newString":"hello2"},"error":"Could not find oldString in the file. It must match exactly, including whitespace, indentation, and line endings.","time":{"start":1795420978051,"end":1795420978173}}}');
INSERT INTO part VALUES ('prt_2076dfc49001hdSsisaViA0gKG', 'msg_2076df7c7001j76umUMjFdWcdl', 'ses_df8925217ffepZpbTVhTxZbEyt', 1795420978250, 1795420978251, '{"reason":"tool-calls","snapshot":"8f9c0b469d1c49a432538a7970b27d265da0adc2","type":"step-finish","tokens":{"total":1020,"input":1000,"output":20,"reasoning":0,"cache":{"write":0,"read":0}},"cost":0}');
INSERT INTO part VALUES ('prt_2076dfea70012vjvIviO1mcHMd', 'msg_2076dfd94001iPHN6Biwdp1B09', 'ses_df8925217ffepZpbTVhTxZbEyt', 1795420978856, 1795420978857, '{"snapshot":"8f9c0b469d1c49a432538a7970b27d265da0adc2","type":"step-start"}');
INSERT INTO part VALUES ('prt_2076dfeaa001dYjnc2YwaeZIcf', 'msg_2076dfd94001iPHN6Biwdp1B09', 'ses_df8925217ffepZpbTVhTxZbEyt', 1795420978858, 1795420978892, '{"type":"text","text":"The queue is SQLite: there is one writer.","time":{"start":1795420978858,"end":1795420978879}}');
INSERT INTO part VALUES ('prt_2076e0161001T581Sa9Q4I8B5N', 'msg_2076dfd94001iPHN6Biwdp1B09', 'ses_df8925217ffepZpbTVhTxZbEyt', 1795420979553, 1795420979557, '{"reason":"stop","snapshot":"8f9c0b469d1c49a432538a7970b27d265da0adc2","type":"step-finish","tokens":{"total":1020,"input":1000,"output":20,"reasoning":0,"cache":{"write":0,"read":0}},"cost":0}');
INSERT INTO part VALUES ('prt_2076e1fc0001lFN27Z7Rkf3Q72', 'msg_2076e1fbe001TmbEGFvGMTemaP', 'ses_df8925217ffepZpbTVhTxZbEyt', 1795420991229, 1795420991234, '{"type":"text","text":"\"재시도는 몇 초까지 기다리나요?\n- name the cap\n- and where it is set\""}');
INSERT INTO part VALUES ('prt_2076e3b84001gbkPkevw4QelbG', 'msg_2076e2f520012zNDjktMgGBv90', 'ses_df8925217ffepZpbTVhTxZbEyt', 1795420994436, 1795420994439, '{"snapshot":"8f9c0b469d1c49a432538a7970b27d265da0adc2","type":"step-start"}');
INSERT INTO part VALUES ('prt_2076e3b8b001uJV0yHUuH9SYA6', 'msg_2076e2f520012zNDjktMgGBv90', 'ses_df8925217ffepZpbTVhTxZbEyt', 1795420994443, 1795420996684, '{"type":"tool","tool":"task","callID":"call_0010","state":{"status":"completed","input":{"description":"look for backoff","prompt":"Find where retries back off","subagent_type":"general"},"output":"<task id=\"ses_df891c458ffe7XqKPoVcfSLSPt\" state=\"completed\">\n<task_result>\nThe subagent found nothing.\n</task_result>\n</task>","metadata":{"parentSessionId":"ses_df8925217ffepZpbTVhTxZbEyt","sessionId":"ses_df891c458ffe7XqKPoVcfSLSPt","model":{"modelID":"stub-model","providerID":"stub"},"truncated":false},"title":"look for backoff","time":{"start":1795420994530,"end":1795420996680}}}');
INSERT INTO part VALUES ('prt_2076e3c0e001QD3YHTe84wI5Pl', 'msg_2076e3bf60015o7VJjJS6mpUGb', 'ses_df891c458ffe7XqKPoVcfSLSPt', 1795420994579, 1795420994580, '{"type":"text","text":"Find where retries back off"}');
INSERT INTO part VALUES ('prt_2076e408a001Nv3y9GEBbly80C', 'msg_2076e3d31001UDD7SWSc3LZ0zF', 'ses_df891c458ffe7XqKPoVcfSLSPt', 1795420995722, 1795420995739, '{"snapshot":"8f9c0b469d1c49a432538a7970b27d265da0adc2","type":"step-start"}');
INSERT INTO part VALUES ('prt_2076e40b3001NwisjWWkCrtXTg', 'msg_2076e3d31001UDD7SWSc3LZ0zF', 'ses_df891c458ffe7XqKPoVcfSLSPt', 1795420995764, 1795420995853, '{"type":"text","text":"The subagent found nothing.","time":{"start":1795420995764,"end":1795420995828}}');
INSERT INTO part VALUES ('prt_2076e41f7001HbrEbCnkYYbDwZ', 'msg_2076e3d31001UDD7SWSc3LZ0zF', 'ses_df891c458ffe7XqKPoVcfSLSPt', 1795420996087, 1795420996089, '{"reason":"stop","snapshot":"8f9c0b469d1c49a432538a7970b27d265da0adc2","type":"step-finish","tokens":{"total":1020,"input":1000,"output":20,"reasoning":0,"cache":{"write":0,"read":0}},"cost":0}');
INSERT INTO part VALUES ('prt_2076e45df001cCRFiUUFGNW1Ay', 'msg_2076e2f520012zNDjktMgGBv90', 'ses_df8925217ffepZpbTVhTxZbEyt', 1795420997087, 1795420997090, '{"reason":"tool-calls","snapshot":"8f9c0b469d1c49a432538a7970b27d265da0adc2","type":"step-finish","tokens":{"total":1020,"input":1000,"output":20,"reasoning":0,"cache":{"write":0,"read":0}},"cost":0}');
INSERT INTO part VALUES ('prt_2076e48f7001lKOw79cdcjDptH', 'msg_2076e468a001qOASogVOwB3ZIw', 'ses_df8925217ffepZpbTVhTxZbEyt', 1795420997879, 1795420997880, '{"snapshot":"8f9c0b469d1c49a432538a7970b27d265da0adc2","type":"step-start"}');
INSERT INTO part VALUES ('prt_2076e48fa001y316VEUKjK0O7n', 'msg_2076e468a001qOASogVOwB3ZIw', 'ses_df8925217ffepZpbTVhTxZbEyt', 1795420997882, 1795420997886, '{"type":"text","text":"재시도는 지수 백오프로 합니다. It is capped at 30 s.","time":{"start":1795420997882,"end":1795420997885}}');
INSERT INTO part VALUES ('prt_2076e4a9d001by7KjgHFE2ukEz', 'msg_2076e468a001qOASogVOwB3ZIw', 'ses_df8925217ffepZpbTVhTxZbEyt', 1795420998301, 1795420998303, '{"reason":"stop","snapshot":"8f9c0b469d1c49a432538a7970b27d265da0adc2","type":"step-finish","tokens":{"total":1020,"input":1000,"output":20,"reasoning":0,"cache":{"write":0,"read":0}},"cost":0}');
INSERT INTO part VALUES ('prt_2076e76230010ARbqJzQ7nuYZz', 'msg_2076e76200011mfiJG5WQH8QT4', 'ses_df8925217ffepZpbTVhTxZbEyt', 1795421016454, 1795421016459, '{"type":"text","text":"\"Does the giraffe stay?\""}');
INSERT INTO part VALUES ('prt_2076eaad3001jbpHkRXXhPyI3C', 'msg_2076e92470017EZBAznCQuzvET', 'ses_df8925217ffepZpbTVhTxZbEyt', 1795421022932, 1795421022934, '{"snapshot":"8f9c0b469d1c49a432538a7970b27d265da0adc2","type":"step-start"}');
INSERT INTO part VALUES ('prt_2076eaad8001ZjHpLrnRkJnrGZ', 'msg_2076e92470017EZBAznCQuzvET', 'ses_df8925217ffepZpbTVhTxZbEyt', 1795421022937, 1795421022945, '{"type":"text","text":"The giraffe stays.","time":{"start":1795421022936,"end":1795421022943}}');
INSERT INTO part VALUES ('prt_2076eac660010LX6FYYBJWibhJ', 'msg_2076e92470017EZBAznCQuzvET', 'ses_df8925217ffepZpbTVhTxZbEyt', 1795421023335, 1795421023336, '{"reason":"stop","snapshot":"8f9c0b469d1c49a432538a7970b27d265da0adc2","type":"step-finish","tokens":{"total":1020,"input":1000,"output":20,"reasoning":0,"cache":{"write":0,"read":0}},"cost":0}');
