// docker compose exec api node docker/first-login.mjs: prints the first owner's password, once.
import { dirname } from 'node:path';
import { takeFirstLogin } from '../launcher/services/first-login.mjs';

const first = takeFirstLogin(dirname(process.env.CHIRALITY_FIRST_LOGIN_FILE ?? '/first-login/first-login.json'));
process.stdout.write(
  first ? `${first.email}\n${first.password}\n` : 'It was printed before, or CHIRALITY_OWNER_PASSWORD was set.\n',
);
