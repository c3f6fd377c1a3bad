// docker compose exec api node docker/first-login.mjs: prints the first owner's password, once.
import { takeFirstLogin } from '../scripts/lib/first-login.mjs';

const first = takeFirstLogin(process.env.CHIRALITY_DATA_DIR ?? '/data');
process.stdout.write(first ? `${first.email}\n${first.password}\n` : 'It was printed before, or CHIRALITY_OWNER_PASSWORD was set.\n');
