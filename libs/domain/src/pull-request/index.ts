export { feedbackMessage, pullRequestName } from './feedback-message';
