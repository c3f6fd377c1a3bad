-- AlterTable
ALTER TABLE "usage_record" ADD COLUMN     "first_of_model" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "first_of_turn" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "usage_rollup" (
    "team_id" TEXT NOT NULL,
    "dimension" TEXT NOT NULL,
    "bucket" TIMESTAMPTZ(3) NOT NULL,
    "key" TEXT NOT NULL,
    "demo" BOOLEAN NOT NULL,
    "turns" BIGINT NOT NULL,
    "messages" BIGINT NOT NULL,
    "unpriced_messages" BIGINT NOT NULL,
    "input_tokens" DECIMAL(30,0) NOT NULL,
    "output_tokens" DECIMAL(30,0) NOT NULL,
    "cache_read_tokens" DECIMAL(30,0) NOT NULL,
    "cache_write_tokens" DECIMAL(30,0) NOT NULL,
    "cost_usd" DECIMAL(30,10) NOT NULL,

    CONSTRAINT "usage_rollup_pkey" PRIMARY KEY ("team_id","dimension","bucket","key","demo")
);

-- CreateIndex
CREATE INDEX "usage_record_team_id_turn_id_at_idx" ON "usage_record"("team_id", "turn_id", "at");

-- Which row of a turn, and of each of its models, the turn is counted by: its first one.
UPDATE usage_record u SET first_of_turn = f.of_turn = 1, first_of_model = true
FROM (
  SELECT id, row_number() OVER (PARTITION BY turn_id, demo ORDER BY at, id) AS of_turn, row_number() OVER (PARTITION BY turn_id, demo, model ORDER BY at, id) AS of_model
  FROM usage_record
) f WHERE f.id = u.id AND f.of_model = 1;

-- The sums that a row of usage is part of. Buckets are days of UTC, and quarters of an hour, at which days begin in every zone, for what is grouped by time.
CREATE FUNCTION usage_rollup_places(at timestamptz, user_id text, project_id text, session_id text, persona text, model text, first_of_turn boolean, first_of_model boolean)
RETURNS TABLE (dimension text, bucket timestamptz, key text, turns int) LANGUAGE sql STABLE AS $$
  VALUES
    ('model', date_trunc('day', at, 'UTC'), model, first_of_model::int),
    ('persona', date_trunc('day', at, 'UTC'), coalesce(persona, ''), first_of_turn::int),
    ('project', date_trunc('day', at, 'UTC'), project_id, first_of_turn::int),
    ('session', date_trunc('day', at, 'UTC'), session_id, first_of_turn::int),
    ('time', date_bin('15 minutes', at, 'epoch'), '', first_of_turn::int),
    ('user', date_trunc('day', at, 'UTC'), user_id, first_of_turn::int)
$$;

-- Brings the sums in step in the statement that changes rows of usage, from any client. Sorted, so that two statements never wait for each other.
CREATE FUNCTION usage_rollup_apply() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO usage_rollup AS r (team_id, dimension, bucket, key, demo, turns, messages, unpriced_messages, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, cost_usd)
    SELECT u.team_id, p.dimension, p.bucket, p.key, u.demo, sum(u.sign * p.turns), sum(u.sign), sum(u.sign * (u.cost_usd IS NULL)::int), sum(u.sign * u.input_tokens), sum(u.sign * u.output_tokens),
      sum(u.sign * u.cache_read_tokens), sum(u.sign * (u.cache_write_5m_tokens + u.cache_write_1h_tokens)), sum(u.sign * coalesce(u.cost_usd, 0))
    FROM (SELECT 1 AS sign, a.* FROM added a) u
    CROSS JOIN LATERAL usage_rollup_places(u.at, u.user_id, u.project_id, u.session_id, u.persona, u.model, u.first_of_turn, u.first_of_model) p
    GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (team_id, dimension, bucket, key, demo) DO UPDATE SET
      turns = r.turns + EXCLUDED.turns, messages = r.messages + EXCLUDED.messages, unpriced_messages = r.unpriced_messages + EXCLUDED.unpriced_messages, input_tokens = r.input_tokens + EXCLUDED.input_tokens,
      output_tokens = r.output_tokens + EXCLUDED.output_tokens, cache_read_tokens = r.cache_read_tokens + EXCLUDED.cache_read_tokens, cache_write_tokens = r.cache_write_tokens + EXCLUDED.cache_write_tokens, cost_usd = r.cost_usd + EXCLUDED.cost_usd;
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO usage_rollup AS r (team_id, dimension, bucket, key, demo, turns, messages, unpriced_messages, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, cost_usd)
    SELECT u.team_id, p.dimension, p.bucket, p.key, u.demo, sum(u.sign * p.turns), sum(u.sign), sum(u.sign * (u.cost_usd IS NULL)::int), sum(u.sign * u.input_tokens), sum(u.sign * u.output_tokens),
      sum(u.sign * u.cache_read_tokens), sum(u.sign * (u.cache_write_5m_tokens + u.cache_write_1h_tokens)), sum(u.sign * coalesce(u.cost_usd, 0))
    FROM (SELECT 1 AS sign, a.* FROM added a UNION ALL SELECT -1, d.* FROM removed d) u
    CROSS JOIN LATERAL usage_rollup_places(u.at, u.user_id, u.project_id, u.session_id, u.persona, u.model, u.first_of_turn, u.first_of_model) p
    GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (team_id, dimension, bucket, key, demo) DO UPDATE SET
      turns = r.turns + EXCLUDED.turns, messages = r.messages + EXCLUDED.messages, unpriced_messages = r.unpriced_messages + EXCLUDED.unpriced_messages, input_tokens = r.input_tokens + EXCLUDED.input_tokens,
      output_tokens = r.output_tokens + EXCLUDED.output_tokens, cache_read_tokens = r.cache_read_tokens + EXCLUDED.cache_read_tokens, cache_write_tokens = r.cache_write_tokens + EXCLUDED.cache_write_tokens, cost_usd = r.cost_usd + EXCLUDED.cost_usd;
  ELSE
    INSERT INTO usage_rollup AS r (team_id, dimension, bucket, key, demo, turns, messages, unpriced_messages, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, cost_usd)
    SELECT u.team_id, p.dimension, p.bucket, p.key, u.demo, sum(u.sign * p.turns), sum(u.sign), sum(u.sign * (u.cost_usd IS NULL)::int), sum(u.sign * u.input_tokens), sum(u.sign * u.output_tokens),
      sum(u.sign * u.cache_read_tokens), sum(u.sign * (u.cache_write_5m_tokens + u.cache_write_1h_tokens)), sum(u.sign * coalesce(u.cost_usd, 0))
    FROM (SELECT -1 AS sign, d.* FROM removed d) u
    CROSS JOIN LATERAL usage_rollup_places(u.at, u.user_id, u.project_id, u.session_id, u.persona, u.model, u.first_of_turn, u.first_of_model) p
    GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (team_id, dimension, bucket, key, demo) DO UPDATE SET
      turns = r.turns + EXCLUDED.turns, messages = r.messages + EXCLUDED.messages, unpriced_messages = r.unpriced_messages + EXCLUDED.unpriced_messages, input_tokens = r.input_tokens + EXCLUDED.input_tokens,
      output_tokens = r.output_tokens + EXCLUDED.output_tokens, cache_read_tokens = r.cache_read_tokens + EXCLUDED.cache_read_tokens, cache_write_tokens = r.cache_write_tokens + EXCLUDED.cache_write_tokens, cost_usd = r.cost_usd + EXCLUDED.cost_usd;
  END IF;
  RETURN NULL;
END $$;

-- The lock of the first one is held until everything is counted.
CREATE TRIGGER usage_rollup_insert AFTER INSERT ON usage_record REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION usage_rollup_apply();
CREATE TRIGGER usage_rollup_update AFTER UPDATE ON usage_record REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION usage_rollup_apply();
CREATE TRIGGER usage_rollup_delete AFTER DELETE ON usage_record REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION usage_rollup_apply();

INSERT INTO usage_rollup
SELECT u.team_id, p.dimension, p.bucket, p.key, u.demo, sum(p.turns), count(*), sum((u.cost_usd IS NULL)::int), sum(u.input_tokens), sum(u.output_tokens),
  sum(u.cache_read_tokens), sum(u.cache_write_5m_tokens + u.cache_write_1h_tokens), sum(coalesce(u.cost_usd, 0))
FROM usage_record u
CROSS JOIN LATERAL usage_rollup_places(u.at, u.user_id, u.project_id, u.session_id, u.persona, u.model, u.first_of_turn, u.first_of_model) p
GROUP BY 1, 2, 3, 4, 5;
