-- CreateTable
CREATE TABLE "shared_workspace_act" (
    "shared_workspace_id" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "fence" BIGINT NOT NULL,

    CONSTRAINT "shared_workspace_act_pkey" PRIMARY KEY ("shared_workspace_id","session_id")
);

-- CreateIndex
CREATE INDEX "shared_workspace_act_session_id_idx" ON "shared_workspace_act"("session_id");

-- AddForeignKey
ALTER TABLE "shared_workspace_act" ADD CONSTRAINT "shared_workspace_act_shared_workspace_id_fkey" FOREIGN KEY ("shared_workspace_id") REFERENCES "shared_workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "shared_workspace_act" ADD CONSTRAINT "shared_workspace_act_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "session"("id") ON DELETE CASCADE ON UPDATE CASCADE;
