-- AlterTable
ALTER TABLE "project" ADD COLUMN     "visibility" TEXT NOT NULL DEFAULT 'team';

-- CreateTable
CREATE TABLE "project_member" (
    "project_id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "added_by_id" TEXT NOT NULL,
    "added_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "project_member_pkey" PRIMARY KEY ("project_id","user_id")
);

-- CreateIndex
CREATE INDEX "project_member_user_id_idx" ON "project_member"("user_id");

-- AddForeignKey
ALTER TABLE "project_member" ADD CONSTRAINT "project_member_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "project_member" ADD CONSTRAINT "project_member_team_id_user_id_fkey" FOREIGN KEY ("team_id", "user_id") REFERENCES "membership"("team_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;
