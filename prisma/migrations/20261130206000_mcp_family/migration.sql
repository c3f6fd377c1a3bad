-- AlterTable
ALTER TABLE "mcp_session" ADD COLUMN     "family_id" TEXT;

-- AlterTable
ALTER TABLE "mcp_call" ADD COLUMN     "cancelled_at" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "mcp_call_created_at_idx" ON "mcp_call"("created_at");
