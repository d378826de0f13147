/** Headers that must not change a response. @param paddingBytes size of the largest */
export function unkeyedHeaders(paddingBytes: number): Record<string, string> {
  return {
    'X-Forwarded-Host': 'evil.example',
    'X-Forwarded-Proto': 'gopher',
    'X-Forwarded-For': '10.0.0.1',
    'X-Forwarded-Prefix': '/evil',
    'X-Original-URL': '/internal/titles',
    'X-Rewrite-URL': '/internal/titles',
    'X-HTTP-Method-Override': 'DELETE',
    Forwarded: 'host=evil.example;proto=gopher',
    Host: 'evil.example',
    Origin: 'https://evil.example',
    'Accept-Language': 'tlh',
    Cookie: 'a=b',
    'X-Padding': 'x'.repeat(paddingBytes),
  };
}
