-- CreateTable
CREATE TABLE "secret_key_check" (
    "id" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,

    CONSTRAINT "secret_key_check_pkey" PRIMARY KEY ("id")
);
