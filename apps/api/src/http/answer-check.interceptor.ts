import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { map, type Observable } from 'rxjs';
import { routeNotes } from './route-notes';

/** Compares what a route answers with what it promised. For tests: a promise that is broken fails the request. */
@Injectable()
export class AnswerCheckInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType() !== 'http') return next.handle();
    const { answer } = routeNotes(context.getHandler());
    return next.handle().pipe(
      map((value: unknown) => {
        if (answer && value !== undefined) answer.parse(JSON.parse(JSON.stringify(value)));
        return value;
      }),
    );
  }
}
