// What the features know a failed request as; the class is that of every client.
export { ApiError, errorOfResponse, fieldErrorsOf, messageOf, networkError } from '@chirality/client';
