-- AlterTable
ALTER TABLE "project" ADD COLUMN     "egress_hosts" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "setup_script" TEXT,
ADD COLUMN     "web_search" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "project_variable" (
    "project_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "cipher" BYTEA NOT NULL,
    "given_to" TEXT NOT NULL,
    "updated_by_id" TEXT NOT NULL,
    "updated_by_name" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "project_variable_pkey" PRIMARY KEY ("project_id","name")
);

-- CreateTable
CREATE TABLE "egress_log" (
    "project_id" TEXT NOT NULL,
    "turn_id" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "port" INTEGER NOT NULL,
    "decision" TEXT NOT NULL,
    "count" INTEGER NOT NULL,
    "first_at" TIMESTAMPTZ(3) NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "egress_log_pkey" PRIMARY KEY ("turn_id","host","port","decision")
);

-- CreateIndex
CREATE INDEX "egress_log_project_id_last_at_idx" ON "egress_log"("project_id", "last_at");

-- AddForeignKey
ALTER TABLE "project_variable" ADD CONSTRAINT "project_variable_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
