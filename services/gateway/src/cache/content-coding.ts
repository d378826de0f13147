export type ContentCoding = 'br' | 'gzip' | 'identity';
export type Compression = Exclude<ContentCoding, 'identity'>;
