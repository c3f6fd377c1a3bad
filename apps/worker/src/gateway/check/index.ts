export { checkRequest, type CheckedRequest, type RequestAllowance } from './check-request';
export { RequestRefused } from './request-refused';
