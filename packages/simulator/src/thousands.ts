export function withThousands(count: number): string {
  return count < 1_000 ? String(count) : String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}
