-- CreateTable
CREATE TABLE "shared_workspace" (
    "id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "branch" TEXT NOT NULL,
    "fence" BIGINT NOT NULL DEFAULT 0,
    "state_version" INTEGER NOT NULL DEFAULT 0,
    "state_key" TEXT,
    "holder_worker_id" TEXT,
    "has_unstored_act" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "shared_workspace_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "shared_workspace_project_id_branch_key" ON "shared_workspace"("project_id", "branch");

-- AddForeignKey
ALTER TABLE "shared_workspace" ADD CONSTRAINT "shared_workspace_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AlterTable
ALTER TABLE "session" ADD COLUMN "shared_workspace_id" TEXT;

-- CreateIndex
CREATE INDEX "session_shared_workspace_id_idx" ON "session"("shared_workspace_id");

-- AddForeignKey
ALTER TABLE "session" ADD CONSTRAINT "session_shared_workspace_id_fkey" FOREIGN KEY ("shared_workspace_id") REFERENCES "shared_workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- A session has its own files or shares some, never both and never neither.
ALTER TABLE "session" ADD CONSTRAINT "session_has_one_workspace" CHECK (("workspace" = 'shared') = ("shared_workspace_id" IS NOT NULL));

-- AlterTable
ALTER TABLE "turn" ADD COLUMN "shared_workspace_id" TEXT, ADD COLUMN "workspace_fence" BIGINT;

-- CreateIndex
CREATE INDEX "turn_in_shared_workspace_idx" ON "turn"("shared_workspace_id", "workspace_fence") WHERE (shared_workspace_id IS NOT NULL);

-- One live turn at a time in a shared workspace, whichever session it is of.
CREATE UNIQUE INDEX "turn_live_in_shared_workspace_key" ON "turn"("shared_workspace_id") WHERE (active_session_id IS NOT NULL);
