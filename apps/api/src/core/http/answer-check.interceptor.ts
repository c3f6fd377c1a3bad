import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { ProblemError } from '@chirality/platform';
import { catchError, map, type Observable } from 'rxjs';
import { problemOf } from '../problem/problem-of';
import { problemsOf, routeNotes } from './route-notes';

/** Compares what a route answers, and how it refuses, with what it promised. For tests: a promise that is broken fails the request. */
@Injectable()
export class AnswerCheckInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType() !== 'http') return next.handle();
    const notes = routeNotes(context.getHandler());
    const { answer } = notes;
    return next.handle().pipe(
      map((value: unknown) => {
        if (answer && value !== undefined) answer.parse(JSON.parse(JSON.stringify(value)));
        return value;
      }),
      catchError((error: unknown) => {
        const { problem, expected } = problemOf(error);
        if (!expected || problemsOf(notes).includes(problem.code)) throw error;
        throw new ProblemError(
          'INTERNAL',
          `${context.getClass().name}.${context.getHandler().name} does not say that it may answer ${problem.code}`,
        );
      }),
    );
  }
}
