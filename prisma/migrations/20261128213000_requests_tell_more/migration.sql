-- AlterTable
ALTER TABLE "permission" ADD COLUMN     "agent_task" TEXT,
ADD COLUMN     "agent_type" TEXT,
ADD COLUMN     "parent_tool_use_id" TEXT,
ADD COLUMN     "patterns" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- What waits during the upgrade keeps the rule that it offers.
UPDATE "permission" SET "patterns" = ARRAY["pattern"] WHERE "pattern" IS NOT NULL AND "outcome" IS NULL;

-- AlterTable
ALTER TABLE "presence" DROP COLUMN "may_answer",
ADD COLUMN     "human" BOOLEAN NOT NULL DEFAULT false,
ALTER COLUMN "session_id" DROP NOT NULL;

-- CreateIndex
CREATE INDEX "presence_user_id_idx" ON "presence"("user_id");
