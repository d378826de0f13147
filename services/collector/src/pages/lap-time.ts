/** `00:49.300`, `m:ss.mmm`, `h:mm:ss.mmm`; the decimal separator is a point or a comma. */
const FORM = /^(?:(\d{1,3}):(?=\d{2}:))?(\d{1,4}):([0-5]\d)(?:[.,](\d{1,3}))?$/;

export function readLapTime(text: string): number | undefined {
  const [, hours = '0', minutes, seconds, fraction = ''] = FORM.exec(text) ?? [];
  if (minutes === undefined || (text.split(':').length === 3 && Number(minutes) > 59)) return undefined;
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(fraction.padEnd(3, '0'));
}
