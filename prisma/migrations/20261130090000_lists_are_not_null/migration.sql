-- A list that is missing would be read as null by SQL and as empty by the client.
UPDATE "project" SET "egress_hosts" = ARRAY[]::TEXT[] WHERE "egress_hosts" IS NULL;
ALTER TABLE "project" ALTER COLUMN "egress_hosts" SET NOT NULL;

UPDATE "permission" SET "patterns" = ARRAY[]::TEXT[] WHERE "patterns" IS NULL;
ALTER TABLE "permission" ALTER COLUMN "patterns" SET NOT NULL;
