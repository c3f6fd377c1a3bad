import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import cookieParser from 'cookie-parser';
import { ApiModule } from '../api.module';
import { DeniedActs } from '../audit/denied-acts';
import { AccessTokens, bearerToken } from '../auth/access-tokens';
import { UnprovenConnections, socketServerOptions } from '../event/socket-admission';
import { admitRequests } from '../http/admission.middleware';
import { AnswerCheckInterceptor } from '../http/answer-check.interceptor';
import { answerWhileSilent } from '../http/answer-while-silent';
import { readJsonBodies } from '../http/body.middleware';
import { identifyRequests } from '../http/request-context';
import { securityHeaders } from '../http/security-headers';
import { ProblemFilter } from '../problem/problem.filter';
import { docsPage } from '../reference/docs-page';
import { webFiles } from '../web/web-files';
import { NestLog } from './nest-log';
import { SocketAdapter } from './socket-adapter';
import type { Services } from './services';

export interface AppOptions {
  /** How long an access token is good; ten minutes by default. */
  accessTokenMs?: number;
  /** For tests: compare every answer with its contract. */
  checkAnswers?: boolean;
}

export type Api = { app: NestExpressApplication; sockets: SocketAdapter };

/** The whole server, built and not yet listening. */
export async function createApp(services: Services, options: AppOptions = {}): Promise<Api> {
  const { config, log } = services;
  const app = await NestFactory.create<NestExpressApplication>(ApiModule.forRoot(services, options), {
    bodyParser: false,
    logger: new NestLog(log),
    abortOnError: false,
  });
  app.set('trust proxy', config.trustProxy);
  app.disable('x-powered-by');
  app.disable('etag');
  const tokens = app.get(AccessTokens);
  app.use(identifyRequests(log));
  app.use(securityHeaders({ https: config.publicUrl.startsWith('https:') }));
  app.use(admitRequests(config));
  app.use('/docs', docsPage());
  const web = webFiles(config.webDir);
  if (web) app.use(web);
  app.use(answerWhileSilent(services.pulse));
  app.use(readJsonBodies((authorization) => tokens.isSigned(bearerToken(authorization))));
  app.use(cookieParser());
  app.useGlobalFilters(new ProblemFilter(log, (request, denied) => void app.get(DeniedActs).note(request, denied)));
  if (options.checkAnswers) app.useGlobalInterceptors(new AnswerCheckInterceptor());
  const sockets = new SocketAdapter(app, (openConnections) =>
    socketServerOptions(config, { openConnections, unproven: app.get(UnprovenConnections) }),
  );
  app.useWebSocketAdapter(sockets);
  return { app, sockets };
}
