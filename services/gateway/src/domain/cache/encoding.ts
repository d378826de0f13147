export type Encoding = 'br' | 'gzip' | 'identity';
export type Packing = Exclude<Encoding, 'identity'>;
