import type { AnswerDeviceRequest } from '@chirality/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, api } from '../../lib/http/api';
import { tokensQuery } from './token.api';

/** Who asks with a code. A mutation, for a code is not kept, and the body holds it instead of an address. */
export function useFindDeviceRequest() {
  return useMutation({
    gcTime: 0,
    mutationFn: (userCode: string) => answerOf(api.POST('/v1/auth/device/request', { body: { userCode } })),
  });
}

export function useAnswerDeviceRequest() {
  const queries = useQueryClient();
  return useMutation({
    gcTime: 0,
    mutationFn: (answer: AnswerDeviceRequest) => answerOf(api.POST('/v1/auth/device/answer', { body: answer })),
    onSuccess: () => queries.invalidateQueries({ queryKey: tokensQuery.queryKey }),
  });
}
