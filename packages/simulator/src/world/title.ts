export interface Title {
  titleId: string;
  productCode: string;
  name: string;
  fullTitle: string;
  publisher: string | null;
  releaseDate: string | null;
  capacity: number;
  showsCapacity: boolean;
  boardCount: number;
  firstBoardId: number;
  /** Boards are numbered across all titles. */
  boardsBefore: number;
}

/** Two ASCII letters and a number. */
export function titleCode(letters: string, number: number): Pick<Title, 'titleId' | 'productCode'> {
  const high = letters.charCodeAt(0) * 256 + letters.charCodeAt(1);
  return {
    titleId: (high * 65_536 + number).toString(16).padStart(8, '0'),
    productCode: `${letters}-${String(number).padStart(3, '0')}`,
  };
}

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
