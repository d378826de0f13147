/** How a body may be packed on its way to the public. */
export type Encoding = 'br' | 'gzip' | 'identity';
export type Packing = Exclude<Encoding, 'identity'>;
