/** Flux scripts that open a connection to a URL, by function. */
export function outboundFluxScripts(url: string): Readonly<Record<string, string>> {
  const { host } = new URL(url);
  const row = (status: string) => `array.from(rows: [{status: ${status}}])`;
  return {
    'http/requests get': `import "http/requests" import "array"
      ${row(`requests.get(url: "${url}").statusCode`)}`,
    'http post': `import "http" import "array"
      ${row(`http.post(url: "${url}", data: bytes(v: "x"))`)}`,
    'experimental/http get': `import "experimental/http" import "array"
      ${row(`http.get(url: "${url}").statusCode`)}`,
    'sql from': `import "sql"
      sql.from(driverName: "postgres", dataSourceName: "postgresql://a:b@${host}/c?sslmode=disable", query: "SELECT 1")`,
  };
}
