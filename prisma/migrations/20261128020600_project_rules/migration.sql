-- AlterTable
ALTER TABLE "project" ADD COLUMN     "auto_approve_at" TIMESTAMPTZ(3),
ADD COLUMN     "auto_approve_by_id" TEXT,
ADD COLUMN     "auto_approve_by_name" TEXT,
ADD COLUMN     "options" JSON NOT NULL DEFAULT '{}',
ADD COLUMN     "strict" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "team" ADD COLUMN     "options" JSON NOT NULL DEFAULT '{}';

-- CreateTable
CREATE TABLE "project_rule" (
    "id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "pattern" TEXT,
    "effect" TEXT NOT NULL,
    "created_by_id" TEXT NOT NULL,
    "created_by_name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "project_rule_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "project_rule_project_id_idx" ON "project_rule"("project_id");

-- AddForeignKey
ALTER TABLE "project_rule" ADD CONSTRAINT "project_rule_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
