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

export interface TitleCode {
  titleId: string;
  productCode: string;
}

/** Two ASCII letters and a number. */
export function titleCode(letters: string, number: number): TitleCode {
  const high = letters.charCodeAt(0) * 256 + letters.charCodeAt(1);
  return {
    titleId: (high * 65_536 + number).toString(16).padStart(8, '0'),
    productCode: `${letters}-${String(number).padStart(3, '0')}`,
  };
}
