import { xml, xmlDocument } from '../feeds/xml.ts';
import { links } from '@lobbystats/site/links';

/** Lets browsers search the site from their address bar: https://github.com/dewitt/opensearch */
export function openSearchDescription(siteUrl: string): Buffer {
  return xmlDocument(xml`<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>Lobbystats</ShortName>
<Description>Players, games and leaderboards of the network</Description>
<InputEncoding>UTF-8</InputEncoding>
<Image width="16" height="16" type="image/x-icon">${siteUrl}/favicon.ico</Image>
<Url type="text/html" template="${siteUrl}${links.search()}?q={searchTerms}"/>
<Url type="application/opensearchdescription+xml" rel="self" template="${siteUrl}${links.openSearch}"/>
</OpenSearchDescription>`);
}
