const FORM = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

/** What shapes the sandbox, the program that runs in it, or how other programs load: never a project's to set. */
const RESERVED = new RegExp(
  [
    '^(CLAUDE|ANTHROPIC|CHIRALITY|LD_|DYLD_|BUN_|GIT_|SSH_|BASH|MCP_|OTEL_|DISABLE_|ENABLE_|PERL|RUBY(LIB|OPT)|PYTHON(PATH|HOME|STARTUP)|MAX_(THINKING|MCP)_)',
    '^NODE_(OPTIONS|PATH|EXTRA_CA_CERTS|TLS_REJECT_UNAUTHORIZED|USE_ENV_PROXY|REPL_.*|V8_.*|DEBUG.*|ICU_DATA|REDIRECT_WARNINGS)$',
    '^(PATH|HOME|SHELL|USER|LOGNAME|TMPDIR|TERM|LANG|LC_.*|PWD|OLDPWD|SHLVL|IFS|ENV|PS[0-4]|CDPATH|PROMPT_COMMAND|EDITOR|VISUAL|PAGER|AI_AGENT|API_TIMEOUT_MS|USE_BUILTIN_RIPGREP|FORCE_AUTOUPDATE.*|IS_(DEMO|SANDBOX)|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS)$',
    '(^|_)PROXY$',
  ].join('|'),
  'i',
);

/** One clause for people about what is wrong with a variable's name; null when a project may set it. */
export function whyNoVariableName(name: string): string | null {
  if (!FORM.test(name)) return 'must be 1 to 64 letters, digits and underscores, and not begin with a digit';
  return RESERVED.test(name) ? 'is reserved: it shapes the sandbox or how programs load' : null;
}
