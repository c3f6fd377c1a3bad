import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import cookieParser from 'cookie-parser';
import { AccessTokens, bearerToken } from '../access/access-tokens';
import { ApiTokens } from '../access/api-tokens';
import { isTokenValue } from '@chirality/domain';
import { DeniedActs } from '../audit/denied-acts';
import { admitRequests } from '../core/http/admission.middleware';
import { AnswerCheckInterceptor } from '../core/http/answer-check.interceptor';
import { answerWhileSilent } from '../core/http/answer-while-silent';
import { basePathOf } from '../core/address/base-path';
import { readJsonBodies } from '../core/http/body.middleware';
import { ProblemFilter } from '../core/http/problem.filter';
import { identifyRequests } from '../core/http/request-context';
import { securityHeaders } from '../core/http/security-headers';
import { UnprovenConnections, socketServerOptions } from '../live/socket-admission';
import { challengeOfMcp } from '../mcp/challenge.middleware';
import { docsPage } from '../reference/docs-page';
import { webFiles } from '../web/web-files';
import { AppModule } from './app.module';
import { NestLog } from './nest-log';
import type { Services } from './services';
import { SocketAdapter } from './socket-adapter';

export interface AppOptions {
  /** For tests: compare every answer with its contract. */
  checkAnswers?: boolean;
}

type Api = { app: NestExpressApplication; sockets: SocketAdapter };

/** The whole server, built and not yet listening. */
export async function createApp(services: Services, options: AppOptions = {}): Promise<Api> {
  const { config, log } = services;
  const app = await NestFactory.create<NestExpressApplication>(AppModule.forRoot(services), {
    bodyParser: false,
    logger: new NestLog(log),
    abortOnError: false,
  });
  app.set('trust proxy', config.trustProxy);
  app.disable('x-powered-by');
  app.disable('etag');
  const basePath = basePathOf(config);
  const tokens = app.get(AccessTokens);
  const apiTokens = app.get(ApiTokens);
  app.use(identifyRequests(log));
  app.use(securityHeaders({ https: config.publicUrl.startsWith('https:') }));
  app.use(admitRequests(config));
  app.use('/docs', docsPage(basePath));
  const web = webFiles(config.webDir, basePath);
  if (web) app.use(web);
  app.use('/mcp', challengeOfMcp(config));
  app.use(answerWhileSilent(services.pulse));
  app.use(
    readJsonBodies((authorization) => {
      const token = bearerToken(authorization);
      return token !== undefined && isTokenValue(token) ? apiTokens.isKnown(token) : tokens.isSigned(token);
    }),
  );
  app.use(cookieParser());
  app.useGlobalFilters(new ProblemFilter(log, (request, denied) => void app.get(DeniedActs).note(request, denied)));
  if (options.checkAnswers) app.useGlobalInterceptors(new AnswerCheckInterceptor());
  const sockets = new SocketAdapter(app, (openConnections) =>
    socketServerOptions(config, { openConnections, unproven: app.get(UnprovenConnections) }),
  );
  app.useWebSocketAdapter(sockets);
  return { app, sockets };
}
