-- CreateTable
CREATE TABLE "budget" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "subject_id" TEXT NOT NULL,
    "period" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "limit_usd" DECIMAL(20,10) NOT NULL,
    "created_by_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "budget_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "budget_window" (
    "budget_id" TEXT NOT NULL,
    "window_start" TIMESTAMPTZ(3) NOT NULL,
    "spent_usd" DECIMAL(20,10) NOT NULL,
    "notified_percent" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "budget_window_pkey" PRIMARY KEY ("budget_id","window_start")
);

-- CreateTable
CREATE TABLE "budget_reservation" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "turn_id" TEXT NOT NULL,
    "amount_usd" DECIMAL(20,10) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "budget_reservation_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "budget_team_id_subject_id_period_kind_key" ON "budget"("team_id", "subject_id", "period", "kind");

-- CreateIndex
CREATE INDEX "budget_reservation_team_id_idx" ON "budget_reservation"("team_id");

-- CreateIndex
CREATE INDEX "budget_reservation_turn_id_idx" ON "budget_reservation"("turn_id");

-- AddForeignKey
ALTER TABLE "budget" ADD CONSTRAINT "budget_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "team"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "budget_window" ADD CONSTRAINT "budget_window_budget_id_fkey" FOREIGN KEY ("budget_id") REFERENCES "budget"("id") ON DELETE CASCADE ON UPDATE CASCADE;
