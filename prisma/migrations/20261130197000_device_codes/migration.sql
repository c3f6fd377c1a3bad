-- CreateTable
CREATE TABLE "device_code" (
    "id" TEXT NOT NULL,
    "secret_hash" TEXT NOT NULL,
    "user_code_hash" TEXT NOT NULL,
    "client_name" TEXT NOT NULL,
    "address" TEXT,
    "user_agent" TEXT,
    "commands" JSON,
    "lifetime_days" INTEGER NOT NULL,
    "interval_seconds" INTEGER NOT NULL DEFAULT 5,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "polled_at" TIMESTAMPTZ(3),
    "decided_by_id" TEXT,
    "decided_at" TIMESTAMPTZ(3),
    "team_id" TEXT,
    "redeemed_at" TIMESTAMPTZ(3),

    CONSTRAINT "device_code_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "device_code_secret_hash_key" ON "device_code"("secret_hash");

-- CreateIndex
CREATE UNIQUE INDEX "device_code_user_code_hash_key" ON "device_code"("user_code_hash");

-- CreateIndex
CREATE INDEX "device_code_expires_at_idx" ON "device_code"("expires_at");
