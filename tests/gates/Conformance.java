import java.io.FileInputStream;
import java.io.InputStream;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.results.TestAssertion;
import org.verapdf.pdfa.results.ValidationResult;
import org.verapdf.pdfa.validation.profiles.Profiles;
import org.verapdf.pdfa.validation.profiles.ValidationProfile;

/** Holds each PDF against PDF/A-3a and PDF/UA-1 and leaves with 1 where one does not conform. */
public final class Conformance {
    private static final Map<String, String> RULES = Map.of("3a", "PDFA-3A", "ua1", "PDFUA-1");

    private static ValidationProfile rules(String file) throws Exception {
        String place = "org/verapdf/pdfa/validation/" + file + ".xml";
        try (InputStream stream = Conformance.class.getClassLoader().getResourceAsStream(place)) {
            return Profiles.profileFromXml(stream);
        }
    }

    private static boolean conforms(String path, String name) throws Exception {
        PDFAFlavour flavour = PDFAFlavour.byFlavourId(name);
        try (var parser = Foundries.defaultInstance().createParser(new FileInputStream(path), flavour);
                var validator = Foundries.defaultInstance().createValidator(rules(RULES.get(name)), false)) {
            ValidationResult result = validator.validate(parser);
            Set<String> broken = new LinkedHashSet<>();
            for (TestAssertion assertion : result.getTestAssertions()) {
                if (assertion.getStatus() == TestAssertion.Status.FAILED) {
                    broken.add(assertion.getRuleId().getClause() + ": " + assertion.getMessage());
                }
            }
            boolean good = result.isCompliant() && result.getTotalAssertions() > 0;
            System.out.println((good ? "conforms " : "BREAKS   ") + name + "  " + path.substring(path.lastIndexOf('/') + 1));
            broken.forEach(rule -> System.out.println("    " + rule));
            return good;
        }
    }

    public static void main(String[] paths) throws Exception {
        VeraGreenfieldFoundryProvider.initialise();
        if (paths.length == 0) {
            throw new IllegalArgumentException("no PDF was given");
        }
        boolean all = true;
        for (String path : paths) {
            for (String name : new String[] {"3a", "ua1"}) {
                all &= conforms(path, name);
            }
        }
        System.exit(all ? 0 : 1);
    }
}
