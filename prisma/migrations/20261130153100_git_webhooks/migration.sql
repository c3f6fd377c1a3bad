-- CreateTable
CREATE TABLE "git_webhook" (
    "id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "secret_since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_by_id" TEXT NOT NULL,
    "created_by_name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_delivery_at" TIMESTAMPTZ(3),
    "last_delivery_host" TEXT,
    "last_delivery_event" TEXT,
    "last_failure_at" TIMESTAMPTZ(3),
    "last_failure" TEXT,

    CONSTRAINT "git_webhook_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "git_webhook_delivery" (
    "webhook_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "git_webhook_delivery_pkey" PRIMARY KEY ("webhook_id","key")
);

-- CreateIndex
CREATE UNIQUE INDEX "git_webhook_project_id_key" ON "git_webhook"("project_id");

-- CreateIndex
CREATE INDEX "git_webhook_delivery_webhook_id_received_at_idx" ON "git_webhook_delivery"("webhook_id", "received_at");

-- AddForeignKey
ALTER TABLE "git_webhook" ADD CONSTRAINT "git_webhook_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "git_webhook_delivery" ADD CONSTRAINT "git_webhook_delivery_webhook_id_fkey" FOREIGN KEY ("webhook_id") REFERENCES "git_webhook"("id") ON DELETE CASCADE ON UPDATE CASCADE;
