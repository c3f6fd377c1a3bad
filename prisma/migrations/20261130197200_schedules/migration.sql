-- CreateTable
CREATE TABLE "schedule" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "owner_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "persona" TEXT,
    "message" TEXT NOT NULL,
    "cron" TEXT,
    "timezone" TEXT NOT NULL,
    "session_id" TEXT,
    "budget_usd" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "next_at" TIMESTAMPTZ(3),
    "paused_because" TEXT,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "trigger_generation" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "schedule_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "schedule_run" (
    "id" TEXT NOT NULL,
    "schedule_id" TEXT NOT NULL,
    "cause" TEXT NOT NULL,
    "slot" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "planned_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "session_id" TEXT,
    "turn_id" TEXT,
    "detail" TEXT,

    CONSTRAINT "schedule_run_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "schedule_project_id_idx" ON "schedule"("project_id");

-- CreateIndex
CREATE INDEX "schedule_owner_id_idx" ON "schedule"("owner_id");

-- CreateIndex
CREATE INDEX "schedule_due_idx" ON "schedule"("next_at") WHERE paused_because IS NULL;

-- CreateIndex
CREATE UNIQUE INDEX "schedule_run_schedule_id_slot_key" ON "schedule_run"("schedule_id", "slot");

-- CreateIndex
CREATE INDEX "schedule_run_schedule_id_planned_at_idx" ON "schedule_run"("schedule_id", "planned_at");

-- CreateIndex
CREATE INDEX "schedule_run_open_idx" ON "schedule_run"("state") WHERE state = 'starting' OR state = 'running';

-- AddForeignKey
ALTER TABLE "schedule" ADD CONSTRAINT "schedule_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "schedule" ADD CONSTRAINT "schedule_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "schedule_run" ADD CONSTRAINT "schedule_run_schedule_id_fkey" FOREIGN KEY ("schedule_id") REFERENCES "schedule"("id") ON DELETE CASCADE ON UPDATE CASCADE;
