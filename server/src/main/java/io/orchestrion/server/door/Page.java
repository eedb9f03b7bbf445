package io.orchestrion.server.door;

import io.orchestrion.server.http.Answer;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/// A small page for people: no script, nothing from elsewhere.
public final class Page {
    private static final String TEMPLATE = template();

    private final String title;
    private final StringBuilder body = new StringBuilder();

    public Page(String title) {
        this.title = title;
    }

    public Page paragraph(String text) {
        body.append("<p>").append(escaped(text)).append("</p>\n");
        return this;
    }

    /// Something to type.
    public Page command(String text) {
        body.append("<code>").append(escaped(text)).append("</code>\n");
        return this;
    }

    public Page link(String path, String text) {
        body.append("<p><a href=\"")
                .append(escaped(path))
                .append("\">")
                .append(escaped(text))
                .append("</a></p>\n");
        return this;
    }

    public Answer answer(int status) {
        String html = TEMPLATE.replace("{title}", escaped(title)).replace("{body}", body);
        return Answer.of(status, "text/html; charset=utf-8", html.getBytes(StandardCharsets.UTF_8))
                .with("Cache-Control", "no-store")
                .with("Referrer-Policy", "no-referrer")
                .with("X-Content-Type-Options", "nosniff")
                .with(
                        "Content-Security-Policy",
                        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'");
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    private static String template() {
        try (InputStream in = Page.class.getResourceAsStream("page.html")) {
            if (in == null) {
                throw new IllegalStateException("page.html is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("cannot read page.html", e);
        }
    }
}
