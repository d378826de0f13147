const ENVIRONMENT_FAULTS: readonly number[] = [5, 6, 7, 8, 10, 11, 13, 14];

export function isEnvironmentFault(error: unknown, others: readonly number[] = []): boolean {
  if (typeof error !== 'object' || error === null || !('errcode' in error)) return false;
  const code = Number(error.errcode) & 0xff;
  return ENVIRONMENT_FAULTS.includes(code) || others.includes(code);
}
