export interface Publisher {
  letters: string;
  name: string;
}

export const PUBLISHERS: readonly Publisher[] = [
  { letters: 'MS', name: 'Meridian Softworks' },
  { letters: 'AV', name: 'Avocet & Sons' },
  { letters: 'BK', name: 'Brackwater Keep' },
  { letters: 'CL', name: 'Copperline Interactive' },
  { letters: 'DQ', name: 'Dustquill' },
  { letters: 'FM', name: 'Fernmoor "Games"' },
  { letters: 'HS', name: 'Halfstone' },
  { letters: 'KT', name: 'Kiteworks Tōkai' },
  { letters: 'LW', name: 'Lanternwood Ltd.' },
  { letters: 'NB', name: 'Northbank, Inc.' },
  { letters: 'SE', name: 'Saltmarsh Entertainment' },
  { letters: 'TR', name: 'Thistle/Rook' },
];

export const TEST_TITLE_PUBLISHER: Publisher = { letters: 'XT', name: 'Network Test Programme' };
